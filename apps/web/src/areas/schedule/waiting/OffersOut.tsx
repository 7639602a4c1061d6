import { TextInput } from '@mantine/core'
import { WaitingEntry, WaitingOffer } from '@ordinator/model/areas/visits/waiting'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerLink } from '#areas/customers/index.ts'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatTime } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyTitledFailure } from '#records/notifyFailure.ts'
import { useList } from '#records/reads.ts'
import { UnpaidAlert } from '../booking/UnpaidAlert.tsx'
import { readDaysAgain, shortDay } from '../day.ts'

const SHOWN = 50

/** Open offers: «yes» books, «no» frees the time for the next. */
export function OffersOut() {
  const cache = useQueryClient()
  const [busy, setBusy] = useState<number>()
  const list = useList(
    WaitingOffer,
    {
      filter: { answer: 'pending' },
      sort: 'expiresAt',
      limit: SHOWN,
      expand: ['user', 'filial', 'entry.customer', 'entry.service'],
    },
    { forbidden: 'silent' },
  )
  const [unpaid, setUnpaid] = useState<Unpaid>()
  const readAgain = () =>
    void Promise.all([
      readDaysAgain(cache),
      invalidateRecords(cache, WaitingEntry.path),
      invalidateRecords(cache, WaitingOffer.path),
    ])
  const send = async (id: number, accepted: boolean, unpaidReason: string | null = null) => {
    try {
      const body = { accepted, unpaidReason }
      await api('POST /waiting-list/offers/:id/answer', { params: { id }, body }, { forbidden: 'toast' })
      if (accepted) notify.success('Пациент записан')
    } finally {
      readAgain()
    }
  }
  /** Renews an expired offer, if the time is still free. */
  const offerAgain = async ({ entry, idUser, localDate, localStart }: Offered) => {
    if (!entry) return
    try {
      const body = { idUser, localDate, localStart }
      await api('POST /waiting-list/:id/offer', { params: { id: entry.id }, body }, { forbidden: 'toast' })
    } catch (error) {
      notifyTitledFailure('Время не предложено снова', error)
    }
    readAgain()
  }
  const answer = async (offer: Offered, accepted: boolean) => {
    setBusy(offer.id)
    try {
      await send(offer.id, accepted)
      if (!accepted) notify.undo('Время снова свободно', () => offerAgain(offer))
    } catch (error) {
      const asked = unpaidOf(error)
      if (asked && offer.entry) setUnpaid({ ...asked, ...offer, idCustomer: offer.entry.idCustomer })
      else notifyTitledFailure('Ответ не записан', error)
    } finally {
      setBusy(undefined)
    }
  }
  useRevealDelay(list.isPending)
  const offers = list.data?.items ?? []
  if (offers.length === 0) return null
  return (
    <Block component="section" framed p={16} aria-label="Ждут ответа">
      <h2>Ждут ответа</h2>
      <ul>
        {offers.map((offer, at) => {
          const { id, localDate, localStart, user, filial, entry, expiresAt } = offer
          return (
            <HStack key={id} component="li" gap={12} py={8} wrap rule={at ? 'top' : undefined}>
              <Block grow miw={200}>
                <strong>
                  {entry?.customer ? <CustomerLink customer={entry.customer} className="pressable" /> : 'Пациент'}
                </strong>{' '}
                {entry?.customer?.phone && (
                  <Muted>
                    <PhoneLink phone={entry.customer.phone} bare />
                  </Muted>
                )}
                <div>
                  {shortDay(localDate)}, {localStart}, {user && <UserLink user={user} className="pressable" />} ·{' '}
                  {entry?.service?.nameService}
                </div>
                <Fine>держится до {formatTime(expiresAt, filial?.timeZone)}</Fine>
              </Block>
              <ActionButton label="Согласен" loading={busy === id} onClick={() => void answer(offer, true)} />
              <ActionButton
                label="Отказ"
                variant="default"
                disabled={busy !== undefined}
                onClick={() => void answer(offer, false)}
              />
            </HStack>
          )
        })}
      </ul>
      {unpaid && (
        <UnpaidDialog
          asked={unpaid}
          onClose={() => setUnpaid(undefined)}
          book={(reason) => send(unpaid.id, true, reason)}
        />
      )}
    </Block>
  )
}

interface Offered {
  id: number
  idFilial: number
  idUser: number
  localDate: string
  localStart: string
  entry: { id: number; idCustomer: number } | null
}
interface Unpaid {
  id: number
  idFilial: number
  idCustomer: number
  message: string
  /** The user may book without prepayment, with a reason. */
  mayBeUnpaid: boolean
}

/** Prepayment required by a booking; undefined for other errors. */
function unpaidOf(error: unknown): Pick<Unpaid, 'message' | 'mayBeUnpaid'> | undefined {
  const { idCustomer, unpaidReason } = error instanceof ApiError && error.status === 422 ? error.byField : {}
  const message = unpaidReason ?? idCustomer
  return message ? { message, mayBeUnpaid: unpaidReason !== undefined } : undefined
}

interface UnpaidDialogProps {
  asked: Unpaid
  book: (reason: string | null) => Promise<void>
  onClose: () => void
}

/** Patient with no-shows: needs a prepayment, or a reason to book without. */
function UnpaidDialog({ asked, book, onClose }: UnpaidDialogProps) {
  const [reason, setReason] = useState('')
  return (
    <ActionDialog title="Нужна предоплата" action="Записать" onClose={onClose} run={() => book(reason.trim() || null)}>
      {(errorOf) => {
        const again = errorOf('unpaidReason') ?? errorOf('idCustomer')
        return (
          <>
            <UnpaidAlert
              message={again ?? asked.message}
              idCustomer={asked.idCustomer}
              idFilial={asked.idFilial}
              onTaken={() => undefined}
            />
            {asked.mayBeUnpaid && (
              <TextInput
                label="Почему без предоплаты"
                maxLength={200}
                value={reason}
                error={again !== undefined && 'Примите аванс или укажите причину'}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            )}
          </>
        )
      }}
    </ActionDialog>
  )
}
