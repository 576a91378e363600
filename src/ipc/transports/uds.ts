import { defineTransport } from "../transport.ts";
import { acceptAll, connectAll, endServer, serveLocally } from "../wire/sockets.ts";

export default defineTransport({
  summary: "Unix domain sockets, or named pipes on Windows",
  scope: "inter-process",
  open: async (setup) => {
    const { path, server } = await serveLocally(setup);
    return {
      addresses: new Array<string>(setup.listeners).fill(path),
      accept: () => acceptAll(server, setup),
      close: async () => endServer(server),
    };
  },
  connect: (setup, addresses) =>
    connectAll(
      setup,
      addresses.map((address) => ({ path: address as string })),
    ),
});
