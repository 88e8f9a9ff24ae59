/** What those say who work apart from the server. */
export type Answer<Output> = { output: Output } | { error: string }
