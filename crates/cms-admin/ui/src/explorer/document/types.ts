// As much of OpenAPI 3.1 and of JSON Schema as our document uses. It is not checked: what is not there is not shown.

/** A schema of JSON, or a reference to one. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  required?: string[];
  items?: Schema | boolean;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  pattern?: string;
  uniqueItems?: boolean;
  deprecated?: boolean;
  /** What the data of each event of a stream is. */
  "x-event-data"?: Schema;
}

interface MediaType {
  schema?: Schema;
  example?: unknown;
}

export type Content = Record<string, MediaType>;

interface Reference {
  $ref: string;
}

export interface DocumentParameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
  content?: Content;
}

interface DocumentBody {
  description?: string;
  required?: boolean;
  content: Content;
}

export interface DocumentResponse {
  description: string;
  content?: Content;
  headers?: Record<string, unknown>;
}

interface DocumentOperation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: (DocumentParameter | Reference)[];
  requestBody?: DocumentBody | Reference;
  responses?: Record<string, DocumentResponse | Reference>;
  security?: Record<string, string[]>[];
}

/** A document, or whatever references point into: the input of a tool has its definitions in itself. */
export type Root = object;

export interface ApiDocument {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, DocumentOperation>>;
  components?: { securitySchemes?: Record<string, { type: string; scheme?: string; in?: string }> };
}
