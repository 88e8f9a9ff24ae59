export { at, first, getFrom, single, zip } from '@backstock/contract/lists.ts'
