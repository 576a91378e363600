import { describeLinearWork } from "../linear-work/describe.ts";

describeLinearWork("test/formats/python-pickle/linear-program.ts");
