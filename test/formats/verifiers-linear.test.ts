import { describeLinearWork } from "./linear-work/describe.ts";

describeLinearWork("test/formats/verifiers-linear-program.ts", {
  refused: [
    "cbor: nested too deep",
    "flexbuffers: a vector in itself",
    "msgpack: nested too deep",
    "v8: an object that is closed nowhere",
    "v8: references to references",
    "protobuf: nested too deep",
  ],
});
