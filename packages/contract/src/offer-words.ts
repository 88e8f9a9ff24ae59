import type { InvoiceLanguage } from './invoice-language.ts'
import { CURRENCY } from './money.ts'

/** The words that an offer needs around its figures. */
export type OfferWords = {
  offer: string
  date: string
  product: string
  grade: string
  quantity: string
  price: string
  from: string
  to: string
  onRequest: string
  devices: string
  pricesIn: string
  priorSale: string
}

const currency = CURRENCY

export const OFFER_WORDS: Record<InvoiceLanguage, OfferWords> = {
  en: {
    offer: 'Offer',
    date: 'Date',
    product: 'Product',
    grade: 'Grade',
    quantity: 'Qty',
    price: 'Price',
    from: 'from',
    to: 'to',
    onRequest: 'price on request',
    devices: 'Devices',
    pricesIn: `All prices in ${currency}.`,
    priorSale: 'Subject to prior sale.',
  },
  de: {
    offer: 'Angebot',
    date: 'Datum',
    product: 'Produkt',
    grade: 'Zustand',
    quantity: 'Menge',
    price: 'Preis',
    from: 'von',
    to: 'bis',
    onRequest: 'Preis auf Anfrage',
    devices: 'Geräte',
    pricesIn: `Alle Preise in ${currency}.`,
    priorSale: 'Zwischenverkauf vorbehalten.',
  },
  fr: {
    offer: 'Offre',
    date: 'Date',
    product: 'Produit',
    grade: 'Grade',
    quantity: 'Qté',
    price: 'Prix',
    from: 'de',
    to: 'à',
    onRequest: 'prix sur demande',
    devices: 'Appareils',
    pricesIn: `Tous les prix en ${currency}.`,
    priorSale: 'Sous réserve de vente entre-temps.',
  },
  nl: {
    offer: 'Aanbieding',
    date: 'Datum',
    product: 'Product',
    grade: 'Grade',
    quantity: 'Aantal',
    price: 'Prijs',
    from: 'van',
    to: 'tot',
    onRequest: 'prijs op aanvraag',
    devices: 'Toestellen',
    pricesIn: `Alle prijzen in ${currency}.`,
    priorSale: 'Tussentijdse verkoop voorbehouden.',
  },
  es: {
    offer: 'Oferta',
    date: 'Fecha',
    product: 'Producto',
    grade: 'Grado',
    quantity: 'Cant.',
    price: 'Precio',
    from: 'de',
    to: 'a',
    onRequest: 'precio a consultar',
    devices: 'Dispositivos',
    pricesIn: `Todos los precios en ${currency}.`,
    priorSale: 'Salvo venta previa.',
  },
  it: {
    offer: 'Offerta',
    date: 'Data',
    product: 'Prodotto',
    grade: 'Grado',
    quantity: 'Q.tà',
    price: 'Prezzo',
    from: 'da',
    to: 'a',
    onRequest: 'prezzo su richiesta',
    devices: 'Dispositivi',
    pricesIn: `Tutti i prezzi in ${currency}.`,
    priorSale: 'Salvo venduto.',
  },
  pl: {
    offer: 'Oferta',
    date: 'Data',
    product: 'Produkt',
    grade: 'Klasa',
    quantity: 'Ilość',
    price: 'Cena',
    from: 'od',
    to: 'do',
    onRequest: 'cena na zapytanie',
    devices: 'Urządzenia',
    pricesIn: `Wszystkie ceny w ${currency}.`,
    priorSale: 'Oferta ważna do wyczerpania zapasów.',
  },
}
