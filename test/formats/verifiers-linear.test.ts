import { describeLinearWork } from "./linear-work/describe.ts";

describeLinearWork("test/formats/verifiers-linear-program.ts", {
  refused: [
    "msgpack: nested too deep",
    "v8: an object that is closed nowhere",
    "v8: references to references",
    "protobuf: nested too deep",
  ],
});
