import { WaitingEntry, WaitingOffer } from '@ordinator/model/areas/visits/waiting'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../base/api.ts'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { formatTime } from '../../../kit/clock.ts'
import { notify } from '../../../kit/notify.tsx'
import { PhoneLink } from '../../../kit/PhoneLink.tsx'
import { Block, HStack } from '../../../kit/Stacks.tsx'
import { UserLink } from '../../../kit/UserLink.tsx'
import { Fine, Muted } from '../../../kit/Words.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import { useList } from '../../../records/reads.ts'
import { tellFailureOf } from '../../../records/tellFailure.ts'
import { CustomerLink } from '../../customers/index.ts'
import { readDaysAgain, shortDay } from '../day.ts'

const SHOWN = 50

/** What is offered and not answered yet: a yes books it, a no leaves the time to the next. */
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
  const answer = async (id: number, accepted: boolean) => {
    setBusy(id)
    try {
      await api('POST /waiting-list/offers/:id/answer', { params: { id }, body: { accepted } }, { forbidden: 'toast' })
      notify.success(accepted ? 'Пациент записан' : 'Время снова свободно')
    } catch (error) {
      tellFailureOf('Ответ не записан', error)
    } finally {
      setBusy(undefined)
      void Promise.all([
        readDaysAgain(cache),
        invalidateRecords(cache, WaitingEntry.path),
        invalidateRecords(cache, WaitingOffer.path),
      ])
    }
  }
  const offers = list.data?.items ?? []
  if (offers.length === 0) return null
  return (
    <Block component="section" framed p={16} aria-label="Ждут ответа">
      <h2>Ждут ответа</h2>
      <ul>
        {offers.map(({ id, localDate, localStart, user, filial, entry, expiresAt }, at) => (
          <HStack key={id} component="li" gap={12} py={8} wrap rule={at ? 'top' : undefined}>
            <Block grow miw={200}>
              <strong>{entry?.customer ? <CustomerLink customer={entry.customer} /> : 'Пациент'}</strong>{' '}
              {entry?.customer?.phone && (
                <Muted>
                  <PhoneLink phone={entry.customer.phone} bare />
                </Muted>
              )}
              <div>
                {shortDay(localDate)}, {localStart}, {user && <UserLink user={user} />} · {entry?.service?.nameService}
              </div>
              <Fine>держится до {formatTime(expiresAt, filial?.timeZone)}</Fine>
            </Block>
            <ActionButton label="Согласен" loading={busy === id} onClick={() => void answer(id, true)} />
            <ActionButton
              label="Отказ"
              variant="default"
              disabled={busy !== undefined}
              onClick={() => void answer(id, false)}
            />
          </HStack>
        ))}
      </ul>
    </Block>
  )
}
