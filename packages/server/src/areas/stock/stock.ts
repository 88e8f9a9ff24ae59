import {
  StockCreateInput,
  StockHit,
  StockInput,
  StockItem,
  StockListRow,
  StockQuery,
} from '@backstock/contract/stock.ts'
import type { Crud } from '../../http/crud.ts'
import { createStock } from './create.ts'
import { editStock } from './edit.ts'
import { findStock, findStockHits } from './find.ts'
import { stockRecord } from './queries.ts'

/**
 * The routes of stock items. They delete none, because Deleted is a status. Only the undo of an import removes items,
 * namely those that the import made.
 */
export const stock: Crud<typeof StockQuery, typeof StockInput, typeof StockListRow, typeof StockItem> = {
  area: 'stock',
  title: 'Stock item',
  query: StockQuery,
  input: StockInput,
  createInput: StockCreateInput,
  row: StockListRow,
  record: StockItem,
  hit: StockHit,
  unique: {
    stock_identifier_imei: { field: 'imei', message: 'Another item already has this IMEI.' },
    stock_identifier_other: {
      field: 'serial_number',
      message: 'Another item already has this serial number, Backstock ID or MEID.',
    },
  },
  foreign: { stock_vat_id_fkey: 'vat_type_id' },
  find: findStock,
  findHits: findStockHits,
  one: stockRecord,
  create: createStock,
  edit: editStock,
}
