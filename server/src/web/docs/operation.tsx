// One operation of the reference: what it does, who may, what goes in and out, and a request to copy.
import type { OpenApiDocument, Operation, Parameter, RequestBody } from "../../http/openapi.js";
import { commonRefusals } from "../../http/openapi-answers.js";
import type { JsonSchema } from "../../http/openapi-schemas.js";
import { fileParts, toCurl, toExamples } from "./example.js";
import { type FieldRow, FieldTable, TypeName, toRows } from "./fields.js";
import { quotaInWords } from "./quota.js";
import { RefusalTable } from "./refusals.js";

interface Props {
  document: OpenApiDocument;
  path: string;
  method: string;
}

export const OperationSection = ({ document, path, method }: Props) => {
  const operation = document.paths[path]![method]!;
  return (
    <section class="operation" id={operation.operationId}>
      <h3>
        <a href={`#${operation.operationId}`}>{operation.summary}</a>
      </h3>
      <p class="endpoint">
        <MethodTag method={method} />
        <code>{path}</code>
      </p>
      {operation.description && <p>{operation.description}</p>}
      <dl class="facts">
        <dt>Access</dt>
        <dd>{operation["x-access"]}</dd>
        <dt>Limit</dt>
        <dd>
          {quotaInWords(operation["x-rate-class"])} (class <code>{operation["x-rate-class"].name}</code>)
        </dd>
      </dl>
      <Parameters operation={operation} />
      {operation.requestBody && <Body body={operation.requestBody} />}
      <GoodAnswer operation={operation} />
      <Refusals operation={operation} />
      <h4>Example</h4>
      {toExamples(document, path, method).map((example) => (
        <pre key={example.files ? "form" : "plain"}>
          <code>{toCurl(example)}</code>
        </pre>
      ))}
    </section>
  );
};

export const MethodTag = ({ method }: { method: string }) => (
  <span class={`method ${method}`}>{method.toUpperCase()}</span>
);

const Parameters = ({ operation }: { operation: Operation }) => {
  const rows = (operation.parameters ?? [])
    .filter((parameter): parameter is Parameter => "name" in parameter)
    .map((parameter) => ({ ...parameter, place: parameter.in, isRequired: parameter.required }));
  if (rows.length === 0) return null;
  return (
    <>
      <h4>Parameters</h4>
      <FieldTable label="Parameters" rows={rows} />
    </>
  );
};

const Body = ({ body }: { body: RequestBody }) => {
  const json = body.content["application/json"]?.schema;
  const form = body.content["multipart/form-data"]?.schema;
  return (
    <>
      {json && (
        <>
          <h4>Body</h4>
          <FieldTable label="Body" rows={toRows(json)} />
        </>
      )}
      {form && (
        <>
          <h4>Files, in a form of the type multipart/form-data</h4>
          <FieldTable label="Files" rows={fileRows(form)} />
        </>
      )}
    </>
  );
};

function fileRows(form: JsonSchema): FieldRow[] {
  const files = new Set(fileParts(form));
  return toRows(form).filter(({ name }) => files.has(name));
}

const GoodAnswer = ({ operation }: { operation: Operation }) => {
  const answer = operation.responses[200]!;
  const [[type, { schema }] = ["", {}]] = Object.entries(answer.content ?? {}) as [string, { schema?: JsonSchema }][];
  const isJson = type === "application/json" && schema !== undefined;
  const rows = isJson ? toRows(schema) : [];
  return (
    <>
      <h4>Answer</h4>
      {rows.length > 0 ? (
        <FieldTable label="Answer" rows={rows} />
      ) : isJson ? (
        <p class="small">
          <TypeName schema={schema} />
        </p>
      ) : (
        <p class="small">
          {answer.description} (<code>{type}</code>)
        </p>
      )}
    </>
  );
};

/** Those of this operation; what every route can refuse stands at the top of the page. */
const Refusals = ({ operation }: { operation: Operation }) => {
  const common = new Set<string>(commonRefusals);
  const codes = Object.values(operation.responses).flatMap((answer) => answer["x-codes"] ?? []);
  const own = codes.filter((code) => !common.has(code));
  if (own.length === 0) return null;
  return (
    <>
      <h4>Refusals</h4>
      <RefusalTable codes={own} />
    </>
  );
};
