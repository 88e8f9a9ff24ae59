import { createQueryId, PostgresQueryCompiler, type RawBuilder } from 'kysely'
import pg from 'pg'

/** A text, as an element of an array in PostgreSQL's text form. */
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** The values of a filter: ids or words, and null. */
const arrayText = (values: readonly unknown[]) =>
  `{${values.map((value) => (value === null ? 'NULL' : quoted(String(value)))).join()}}`

/** Writes each value as a literal of no type, which PostgreSQL reads as it reads a parameter's. */
class InliningCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append(value === null ? 'null' : pg.escapeLiteral(Array.isArray(value) ? arrayText(value) : String(value)))
  }
}

/** A statement's text with its values in it, for COPY, which takes no parameters. */
export function inlined(statement: RawBuilder<unknown>): string {
  return new InliningCompiler().compileQuery(statement.toOperationNode(), createQueryId()).sql
}
