import type { AddressInfo } from "node:net";
import { defineTransport } from "../transport.ts";
import { acceptAll, connectAll, endServer, serve } from "../wire/sockets.ts";

/** Nobody from outside is to connect. */
const LOOPBACK = "127.0.0.1";

export default defineTransport({
  summary: "TCP over loopback, without Nagle's delay",
  scope: "inter-process",
  open: async (setup) => {
    const server = await serve({ host: LOOPBACK, port: 0 });
    const { port } = server.address() as AddressInfo;
    return {
      addresses: new Array<number>(setup.listeners).fill(port),
      accept: () => acceptAll(server, setup),
      close: async () => endServer(server),
    };
  },
  connect: (setup, addresses) =>
    connectAll(
      setup,
      addresses.map((port) => ({ host: LOOPBACK, port: port as number })),
    ),
});
