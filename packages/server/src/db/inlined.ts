import { createQueryId, PostgresQueryCompiler, type RawBuilder } from 'kysely'
import pg from 'pg'

/** A text as an element of an array in PostgreSQL's text form. */
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** A filter's values (ids, words or null) as an array in PostgreSQL's text form. */
const arrayText = (values: readonly unknown[]) =>
  `{${values.map((value) => (value === null ? 'NULL' : quoted(String(value)))).join()}}`

/** Writes each value as a literal without a type, which PostgreSQL reads like a parameter. */
class InliningCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(value === null ? 'null' : pg.escapeLiteral(Array.isArray(value) ? arrayText(value) : String(value)))
  }
}

/** The text of a statement with its values in it. It is for COPY, which takes no parameters. */
export function inlined(statement: RawBuilder<unknown>): string {
  return new InliningCompiler().compileQuery(statement.toOperationNode(), createQueryId()).sql
}
