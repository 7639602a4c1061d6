import type { SemdSource } from './sources.ts'

/** A certificate of what was paid is told whole when it is asked for: there is no record that it could be read of. */
export const taxSource: SemdSource = {
  kind: 'taxCertificate',
  read: async () => undefined,
  mend: {
    tax: { label: 'Данные справки: налогоплательщик, год и сумма', link: '/egisz' },
    'tax.contract': { label: 'Номер договора или карты клиента', link: '/customer/:customer' },
  },
}
