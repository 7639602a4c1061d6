import type { UnpaidLine } from '@ordinator/model/areas/money/accountCalls'
import { FamilyMember } from '@ordinator/model/areas/money/family'
import { type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import { owedOf, paidLines, partSums, restOf, totalOf } from '@ordinator/model/areas/money/owed'
import { GuaranteeLetter } from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { useState } from 'react'
import type { Body } from '#base/api.ts'
import { useList } from '#records/reads.ts'
import { useCertificate } from '../../certificates/CertificateNumber.tsx'
import { useBalance, useBonuses, useUnpaid } from '../../reads.ts'

/** A method of the payment as it is entered. */
export interface Part {
  method: PaymentMethod
  /** null: not typed, the sum follows from the others. */
  sum: number | string | null
  idGuarantee?: number
  certificate?: string
}

/** Maximum methods of one payment. */
export const MOST_PARTS = 4

/** Selected by Alt and their number; other methods only in a split payment. */
export const usual = ['cash', 'card', 'sbp', 'transfer'] as const

/** Notes with which people usually pay. */
const NOTES = [500, 1000, 2000, 5000]
const MAX_OFFERED = 2

/** Sums of whole notes that cover the sum in rubles: 1 850 is paid with 2 000 or 5 000. */
export const notesAbove = (sum: number): number[] =>
  [...new Set(NOTES.map((note) => Math.ceil(sum / note) * note))]
    .filter((paid) => paid > sum)
    .sort((a, b) => a - b)
    .slice(0, MAX_OFFERED)

/** The methods of a payment: each may have its typed sum, number of a certificate, guarantee letter. */
function useParts() {
  const [parts, setParts] = useState<Part[]>([{ method: 'cash', sum: null }])
  return {
    parts,
    set: (at: number, patch: Partial<Part>) =>
      setParts(parts.map((part, index) => (index === at ? { ...part, ...patch } : part))),
    remove: (at: number) => setParts(parts.filter((_, index) => index !== at)),
    /** Adds a method that gets the rest. @param kept the parts before it */
    addTo: (kept: readonly Part[]) =>
      setParts([
        ...kept,
        { method: usual.find((one) => !kept.some(({ method }) => method === one)) ?? 'transfer', sum: null },
      ]),
    /** Keeps typed sums; the others share what the certificate does not pay. */
    addCertificate: () => setParts([{ method: 'certificate', sum: null }, ...parts.filter(({ sum }) => sum !== null)]),
  }
}

/** Services of the payment: all unpaid ones, except for those unchecked. */
function useServices(idCustomer: number | null, idVisit: number | undefined) {
  const unpaid = useUnpaid(idCustomer, idVisit)
  const [skipped, setSkipped] = useState<readonly number[]>([])
  const { lines = [], debt = 0, free = 0, owed = 0 } = unpaid.data ?? {}
  const isChosen = ({ id }: UnpaidLine) => !skipped.includes(id)
  const chosen = lines.filter(isChosen)
  return {
    lines,
    chosen,
    free,
    /** Kopecks to take for the chosen ones. */
    owed: chosen.length === lines.length ? kopecks(owed) : owedOf({ debt, free, lines }, chosen),
    isChosen,
    choose: ({ id }: UnpaidLine, isOn: boolean) =>
      setSkipped(isOn ? skipped.filter((one) => one !== id) : [...skipped, id]),
  }
}

/** The payment that the dialog enters, with the sums that follow from what is typed. */
export function useTake(props: { idCustomer?: number; idVisit?: number }) {
  const [idCustomer, setCustomer] = useState<number | null>(props.idCustomer ?? null)
  const [idPayer, setPayer] = useState<number | null>(null)
  const [isOthers, setOthers] = useState(false)
  const [received, setReceived] = useState<Part['sum']>(null)
  const [contact, setContact] = useState('')
  const [bonus, setBonus] = useState<Part['sum']>(null)
  const parts = useParts()
  const balance = useBalance(idCustomer)
  const services = useServices(idCustomer, props.idVisit)
  const letters = useList(
    GuaranteeLetter,
    { filter: { idCustomer: idCustomer ?? 0, status: 'active' }, expand: ['insurer'] },
    { enabled: idCustomer !== null, forbidden: 'silent' },
  )
  // Family accounts that pay for the customer.
  const families = useList(
    FamilyMember,
    { filter: { idCustomer: idCustomer ?? 0 }, expand: ['family.head'], limit: 5 },
    { enabled: idCustomer !== null, forbidden: 'silent' },
  )
  const bonuses = useBonuses(
    services.lines.length > 0 ? idCustomer : null,
    services.chosen.map(({ id }) => id),
  )
  const certificate = useCertificate(parts.parts.find(({ method }) => method === 'certificate')?.certificate ?? '')
  const byBonuses = typeof bonus === 'number' && bonus > 0 ? kopecks(bonus) : 0
  const asked = rubles(Math.max(0, services.owed - byBonuses))
  const sums = partSums(asked, parts.parts, certificate?.rest)
  const filled = parts.parts.map((part, at) => ({ ...part, sum: sums[at] ?? null }))
  // Bonuses may pay everything.
  const isByBonuses = byBonuses > 0 && asked === 0 && sums.every((sum) => sum === null)
  const cash = filled.find(({ method }) => method === 'cash')
  const { lines, chosen } = services
  const total = totalOf(sums)
  return {
    ...{ idCustomer, setCustomer, idPayer, setPayer, isOthers, setOthers },
    ...{ received, setReceived, contact, setContact, bonus, setBonus },
    ...{ parts, filled, services, balance, letters, bonuses, isByBonuses, cash },
    families: families.data?.items ?? [],
    /** Pays by the advance of another, who heads a family account. */
    payByFamily: (idHead: number) => {
      setOthers(true)
      setPayer(idHead)
      parts.set(0, { method: 'advance', sum: null })
    },
    /** Kopecks. */
    total,
    /** Kopecks of change for the received cash. */
    change:
      typeof received === 'number' && typeof cash?.sum === 'number' ? kopecks(received) - kopecks(cash.sum) : undefined,
    more: () => parts.addTo(certificate ? parts.parts : filled),
    methods: methodsFor({ isOthers, hasLetters: (letters.data?.items.length ?? 0) > 0 }),
    faults: faultsOf({ idCustomer, idPayer, isOthers, bonus, paying: isByBonuses ? [] : filled }),
    /** The body of the call, besides key and desk. @param hasReceipt the desk prints receipts */
    bodyFor: (hasReceipt: boolean): Omit<Body<'POST /payments/take'>, 'key' | 'idDesk'> => ({
      idCustomer: idCustomer as number,
      ...(isOthers && { idPayer }),
      parts: (isByBonuses ? [] : filled).map(bodyOfPart),
      ...(byBonuses > 0
        ? {
            bonus: rubles(byBonuses),
            lines: chosen.map((line) => ({ idCouponService: line.id, sum: rubles(restOf(line)) })),
          }
        : { lines: paidLines(lines, chosen, total) }),
      ...(cash && typeof received === 'number' && { received }),
      ...(contact.trim() && hasReceipt && { contact }),
    }),
  }
}

export type Take = ReturnType<typeof useTake>

/** Choice of methods: an insurer only with a letter, an advance only of another payer. */
const methodsFor = ({ isOthers, hasLetters }: { isOthers: boolean; hasLetters: boolean }) =>
  [
    ...Object.entries(paymentMethods).filter(
      ([method]) => method !== 'advance' && (method !== 'insurer' || hasLetters),
    ),
    ...(isOthers ? [['advance', 'Аванс плательщика']] : []),
  ].map(([value = '', label = '']) => ({ value, label }))

const bodyOfPart = ({ method, sum, idGuarantee, certificate }: Part) => ({
  method,
  sum: sum as number,
  ...(method === 'certificate' && { certificate: certificate ?? '' }),
  ...(method === 'insurer' && idGuarantee && { idGuarantee }),
})

const faultsOf = ({
  idCustomer,
  idPayer,
  isOthers,
  bonus,
  paying,
}: {
  idCustomer: number | null
  idPayer: number | null
  isOthers: boolean
  bonus: Part['sum']
  paying: readonly Part[]
}) => ({
  idCustomer: idCustomer === null && 'Выберите клиента',
  ...Object.fromEntries(
    paying.flatMap(({ sum, method, idGuarantee, certificate = '' }, at) => [
      [`parts.${at}.sum`, typeof sum !== 'number' && 'Укажите сумму'],
      [`parts.${at}.certificate`, method === 'certificate' && !certificate.trim() && 'Укажите номер сертификата'],
      [`parts.${at}.idGuarantee`, method === 'insurer' && !idGuarantee && 'Выберите гарантийное письмо'],
    ]),
  ),
  idPayer: isOthers && idPayer === null && 'Выберите, кто платит',
  bonus: typeof bonus === 'string' && bonus !== '' && 'Укажите, сколько бонусов',
})
