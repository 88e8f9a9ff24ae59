import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'

/** The words of a delivery note that an invoice does not have. */
export type DeliveryTexts = { title: string; date: string; courier: string; tracking: string; received: string }

export const DELIVERY_TEXTS: Record<InvoiceLanguage, DeliveryTexts> = {
  en: {
    title: 'Delivery note',
    date: 'Date',
    courier: 'Carrier',
    tracking: 'Tracking number',
    received: 'Received (date, signature)',
  },
  de: {
    title: 'Lieferschein',
    date: 'Datum',
    courier: 'Versand durch',
    tracking: 'Sendungsnummer',
    received: 'Erhalten (Datum, Unterschrift)',
  },
  fr: {
    title: 'Bon de livraison',
    date: 'Date',
    courier: 'Transporteur',
    tracking: 'Numéro de suivi',
    received: 'Reçu (date, signature)',
  },
  nl: {
    title: 'Pakbon',
    date: 'Datum',
    courier: 'Vervoerder',
    tracking: 'Trackingnummer',
    received: 'Ontvangen (datum, handtekening)',
  },
  es: {
    title: 'Albarán',
    date: 'Fecha',
    courier: 'Transportista',
    tracking: 'Número de seguimiento',
    received: 'Recibido (fecha, firma)',
  },
  // The title is not 'Documento di trasporto', because such documents have a number series of their own. The same holds
  // for a 'WZ' in Poland.
  it: {
    title: 'Nota di consegna',
    date: 'Data',
    courier: 'Corriere',
    tracking: 'Numero di tracciamento',
    received: 'Ricevuto (data, firma)',
  },
  pl: {
    title: 'Dowód dostawy',
    date: 'Data',
    courier: 'Przewoźnik',
    tracking: 'Numer przesyłki',
    received: 'Odebrano (data, podpis)',
  },
}
