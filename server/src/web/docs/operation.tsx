// An operation of the reference: its purpose, access, input, output, and an example request.
import type { OpenApiDocument, Operation, Parameter, RequestBody } from "#platform/http/openapi.js";
import { type Answer, commonRefusals } from "#platform/http/openapi-answers.js";
import { toCurl, toExample } from "./example.js";
import { FieldTable, TypeName, toRows, toSentence } from "./fields.js";
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
      <Parameters document={document} operation={operation} />
      {operation.requestBody && <Body body={operation.requestBody} />}
      <GoodAnswer operation={operation} />
      <Refusals operation={operation} />
      <h4>Example</h4>
      <pre>
        <code>{toCurl(toExample(document, path, method))}</code>
      </pre>
      <ExampleAnswer answer={operation.responses[200]!} />
    </section>
  );
};

export const MethodTag = ({ method }: { method: string }) => (
  <span class={`method ${method}`}>{method.toUpperCase()}</span>
);

const Parameters = ({ document, operation }: { document: OpenApiDocument; operation: Operation }) => {
  const rows = (operation.parameters ?? [])
    .map((one) => ("name" in one ? one : document.components.parameters[one.$ref.split("/").at(-1)!]!))
    .filter(({ name }) => name !== explainedOnce)
    .map((parameter: Parameter) => ({ ...parameter, place: parameter.in, isRequired: parameter.required }));
  if (rows.length === 0) return null;
  return (
    <>
      <h4>Parameters</h4>
      <FieldTable label="Parameters" rows={rows} />
    </>
  );
};

/** Every POST accepts it; the conventions explain it. */
const explainedOnce = "Idempotency-Key";

const Body = ({ body }: { body: RequestBody }) => {
  const form = body.content["multipart/form-data"]?.schema;
  const schema = form ?? body.content["application/json"]?.schema;
  if (!schema) return null;
  return (
    <>
      <h4>{form ? "Parts of the form (multipart/form-data)" : "Body"}</h4>
      {body.description && <p class="small">{body.description}</p>}
      <FieldTable label="Body" rows={toRows(schema)} />
    </>
  );
};

const GoodAnswer = ({ operation }: { operation: Operation }) => {
  const answer = operation.responses[200]!;
  const schema = answer.content?.["application/json"]?.schema;
  const rows = schema ? toRows(schema) : [];
  const types = Object.keys(answer.content ?? {}).filter((type) => type !== "application/json" || !schema);
  return (
    <>
      <h4>Answer</h4>
      {rows.length > 0 ? (
        <FieldTable label="Answer" rows={rows} />
      ) : (
        schema && (
          <p class="small">
            <TypeName schema={schema} />
          </p>
        )
      )}
      {types.length > 0 && (
        <p class="small">
          {!schema && `${toSentence(answer.description ?? "")} `}
          {schema ? "Also as " : "Media type: "}
          {types.map((type, index) => [index > 0 && ", ", <code key={type}>{type}</code>])}.
        </p>
      )}
      <OtherAnswers operation={operation} />
    </>
  );
};

/** The answers to conditional and range requests for a file. */
const OtherAnswers = ({ operation }: { operation: Operation }) => {
  if (!operation.responses[206]) return null;
  return (
    <p class="small">
      With <code>Range</code> the answer is <code>206</code> and the part in <code>Content-Range</code>, or{" "}
      <code>416</code> where the file is not that long. With <code>If-None-Match</code> it is <code>304</code> where the
      caller has the file. <code>Content-Disposition</code> says the name of the file.
    </p>
  );
};

/** Recorded from a real server. For files only the headers are shown. */
const ExampleAnswer = ({ answer }: { answer: Answer }) => {
  const body = Object.values(answer.content ?? {}).find(({ example }) => example !== undefined)?.example;
  const headers = Object.entries(answer.headers ?? {}).flatMap(([name, header]) => {
    const { example } = header as { example?: string };
    return example === undefined ? [] : [`${name}: ${example}`];
  });
  if (body === undefined && headers.length === 0) return null;
  const text = typeof body === "string" ? body : JSON.stringify(body, null, 2);
  return (
    <details class="example-answer">
      <summary>Answer</summary>
      <pre>
        <code>{body === undefined ? headers.join("\n") : text}</code>
      </pre>
    </details>
  );
};

/** The refusals of this operation; refusals of every route are listed at the top of the page. */
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
