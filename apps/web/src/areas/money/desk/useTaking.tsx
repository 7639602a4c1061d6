import { Customer } from '@ordinator/model/areas/customers/customer'
import { takesByHand } from '@ordinator/model/areas/money/desk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api, type Body } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { readMoney, rememberDesk, useOperationKey } from '../reads.ts'
import { DeskSelect, OnlyByLink, useDesks } from './DeskSelect.tsx'
import { HandOffDialog, manualPaymentOf } from './HandOffDialog.tsx'

interface Place {
  /** The desk; absent: it is chosen. */
  idDesk?: number | undefined
  /** Branch of the proposed desk. */
  idFilial?: number | undefined
  onClose: () => void
}

/** A payment taken at a desk: of services, of a certificate, of a membership. */
export function useTaking({ idDesk, idFilial, onClose }: Place) {
  const cache = useQueryClient()
  const [key, renew] = useOperationKey()
  const { desk, desks, setDesk } = useDesks(idDesk, idFilial, { isTaking: true })
  const [handOff, setHandOff] = useState<{ idPayment: number; sum: number }>()
  const isByLink = desk !== undefined && !takesByHand(desk)
  return {
    desk,
    isByLink,
    /** Takes the payment; false: the terminal is separate, `handedOff` asks the cashier for the outcome. */
    async take(
      body: Omit<Body<'POST /payments/take'>, 'key' | 'idDesk'>,
    ): Promise<Answer<'POST /payments/take'> | false> {
      if (!desk) return false
      rememberDesk(desk.id)
      try {
        return await api('POST /payments/take', { body: { key, idDesk: desk.id, ...body } }, { forbidden: 'toast' })
      } catch (error) {
        // A declined operation is over: a retry needs a new key.
        if (error instanceof ApiError && error.code === 'declined') renew()
        const handed = manualPaymentOf(error)
        if (!handed) throw error
        setHandOff(handed)
        return false
      } finally {
        void readMoney(cache)
      }
    },
    /** Shown instead of the form. */
    handedOff: handOff && (
      <HandOffDialog {...handOff} hasReceipt={desk !== undefined && desk.kktMode !== 'none'} onClose={onClose} />
    ),
    /** The choice of the desk, and why it takes no payment. */
    deskFields: (
      <>
        {idDesk === undefined && <DeskSelect desks={desks} desk={desk} onChange={setDesk} />}
        {isByLink && <OnlyByLink />}
      </>
    ),
  }
}

interface BuyerProps {
  value: number | null
  error: string | undefined
  onChange: (idCustomer: number | null) => void
}

/** Who buys. */
export const BuyerField = (field: BuyerProps) => (
  <RefSelect to={Customer.path} label="Кто покупает" required placeholder="Имя, телефон или дата рождения" {...field} />
)
