import type { SemdSource } from './sources.ts'

/** A payment certificate gets all its data on request: there is no source record. */
export const taxSource: SemdSource = {
  kind: 'taxCertificate',
  read: async () => undefined,
  mend: {
    tax: { label: 'Данные справки: налогоплательщик, год и сумма', link: '/egisz' },
    'tax.contract': { label: 'Номер договора или карты клиента', link: '/customer/:customer' },
  },
}
