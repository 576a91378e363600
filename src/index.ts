/** The public API of wirebench: the same as the command line, as functions. */

export { type Evidence, judgeClaims } from "./analysis/claims/judge.ts";
export { CLAIMS, type Claim } from "./analysis/claims/statements.ts";
export { type CompareOptions, compareRecords, type RecordOptions } from "./analysis/compare/compare.ts";
export { namedDataset } from "./catalog/dataset.ts";
export { type DocumentFiles, inferDataset } from "./catalog/infer-dataset.ts";
export { type DataFiles, loadDataset, loadSchema } from "./catalog/load-dataset.ts";
export type { OnRead, ReadProgress } from "./catalog/read-progress.ts";
export { type NamedCodec, type PluginKind, Registry } from "./catalog/registry.ts";
export type { IpcSelection } from "./ipc/plan.ts";
export { type IpcHooks, type IpcProgress, runIpc } from "./ipc/run.ts";
export type { IpcProfile } from "./ipc/test-parameters.ts";
export { PROFILES, type Profile, type ProfileName } from "./measure/profiles.ts";
export {
  type Binding,
  type CodecDefinition,
  type CodecVariant,
  defineCodec,
  direct,
  type Encoded,
  type Mapping,
} from "./model/codec.ts";
export { type Dataset, type DatasetDefinition, defineDataset } from "./model/dataset.ts";
export * from "./model/errors.ts";
export type { Goal } from "./model/goal.ts";
export {
  defineOperation,
  type OperationContext,
  type OperationDefinition,
  type Task,
} from "./model/operation.ts";
export type * from "./model/records/answer.ts";
export type * from "./model/records/claims.ts";
export type * from "./model/records/classic.ts";
export type * from "./model/records/comparison.ts";
export type * from "./model/records/doctor.ts";
export type * from "./model/records/ipc.ts";
export type * from "./model/records/ipc-remote.ts";
export type * from "./model/records/run.ts";
export { defineReport, type RecordKind, type ReportDefinition } from "./model/report.ts";
export type * from "./model/schema.ts";
export type {
  MessageSelection,
  NumberPlace,
  NumberWriter,
  PartialReader,
} from "./model/selection.ts";
export type { Trait, World } from "./model/traits.ts";
export { firstDifference, type RecordValue, type Value } from "./model/value.ts";
export { renderJson } from "./reports/any/json.ts";
export { renderClaimsMarkdown } from "./reports/claims/markdown.ts";
export { renderClaimsSummary } from "./reports/claims/summary.ts";
export { renderClaimsText } from "./reports/claims/text.ts";
export { renderComparisonMarkdown } from "./reports/comparison/markdown.ts";
export { renderComparisonText } from "./reports/comparison/text.ts";
export { renderDoctorMarkdown } from "./reports/doctor/markdown.ts";
export { renderDoctorSummary } from "./reports/doctor/summary.ts";
export { renderDoctorText } from "./reports/doctor/text.ts";
export { renderIpcMarkdown } from "./reports/ipc/markdown.ts";
export { renderIpcSummary } from "./reports/ipc/summary.ts";
export { renderIpcText } from "./reports/ipc/text.ts";
export { renderRemoteMarkdown } from "./reports/ipc-remote/markdown.ts";
export { renderRemoteText } from "./reports/ipc-remote/text.ts";
export type { Picture, Picture as IpcPlot } from "./reports/picture.ts";
export { renderCsv } from "./reports/run/csv.ts";
export { renderMarkdown } from "./reports/run/markdown.ts";
export { renderSummary } from "./reports/run/summary.ts";
export { renderText } from "./reports/run/text.ts";
export { emitCapnp } from "./schema/emit/capnp.ts";
export { emitFbs } from "./schema/emit/fbs.ts";
export { emitHeader } from "./schema/emit/header.ts";
export { emitProto } from "./schema/emit/proto.ts";
export { type CopyRules, compileMapping } from "./schema/generate/copy.ts";
export { compileVisitor, type VisitStyle } from "./schema/generate/visit.ts";
export { mapped, type PlainLibrary } from "./schema/mapped.ts";
export { type ConformOptions, conform } from "./schema/values/conform.ts";
export { jsonText } from "./schema/values/json-text.ts";
export { decodeUntrusted, encodeProven } from "./schema/values/transcode.ts";
export { readAnyRecord, readRecord } from "./store/read-record.ts";
export { ResultFolder } from "./store/result-folder.ts";
export { type DoctorOptions, doctor } from "./suite/doctor/doctor.ts";
export { type MergeOptions, mergeRecords } from "./suite/merge/merge.ts";
export type { OnProgress, Progress } from "./suite/progress-meter.ts";
export { type RunOptions, run } from "./suite/run.ts";
export type { Isolation, Selection, Study } from "./suite/selection.ts";
export { type VerifyOptions, verify } from "./suite/verify.ts";
