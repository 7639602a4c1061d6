import { Loader } from '@mantine/core'
import { User } from '@ordinator/model/areas/staff/user'
import { WaitingEntry, WaitingOffer } from '@ordinator/model/areas/visits/waiting'
import { counted } from '@ordinator/model/format'
import { IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerLink } from '#areas/customers/index.ts'
import { type Answer, api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { clockOf, spanText } from '#kit/dayGrid/scale.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyTitledFailure } from '#records/notifyFailure.ts'
import { retries, useRecord } from '#records/reads.ts'
import { dayPaths, dayWords, readDaysAgain, startOf } from '../day.ts'

/** A free time of a doctor, in the branch's time zone. */
export interface Freed {
  idFilial: number
  idUser: number
  date: string
  start: string
  minutes: number
}

type Match = Answer<'GET /waiting-list/matches'>['items'][number]

const PatientName = ({ idCustomer, patient }: Pick<Match, 'idCustomer' | 'patient'>) =>
  idCustomer === null ? (
    'Пациент'
  ) : (
    <CustomerLink customer={{ id: idCustomer, shortFio: patient }} className="pressable" />
  )

/** Waiting patients for a free time, ranked with reasons; one key offers it to the first. */
export function FreedTime({ time, onClose }: { time: Freed; onClose: () => void }) {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const doctor = useRecord(User, time.idUser, { fields: ['shortFio'] }, { forbidden: 'silent' })
  const found = useQuery({
    queryKey: ['waiting-list/matches', time],
    queryFn: ({ signal }) => api('GET /waiting-list/matches', { query: time }, { signal }),
    retry: retries,
    meta: { live: [WaitingEntry.path, ...dayPaths] },
  })
  useRevealDelay(found.isPending || doctor.isPending)
  const items = found.data?.items ?? []
  const offer = async ({ id, patient }: Match) => {
    setBusy(true)
    try {
      const { idUser, date: localDate, start: localStart } = time
      const body = { idUser, localDate, localStart }
      await api('POST /waiting-list/:id/offer', { params: { id }, body }, { forbidden: 'toast' })
      notify.success(`${patient ?? 'Пациент'}: время держится полчаса`, { title: 'Время предложено' })
      onClose()
    } catch (error) {
      notifyTitledFailure('Время не предложено', error)
    } finally {
      setBusy(false)
      void Promise.all([
        readDaysAgain(cache),
        invalidateRecords(cache, WaitingEntry.path),
        invalidateRecords(cache, WaitingOffer.path),
      ])
    }
  }
  const [first] = items
  useHotkey('o', () => first && void offer(first), {
    label: 'Предложить время первому',
    group: 'Лист ожидания',
    enabled: first !== undefined && !busy,
  })
  const from = startOf({ localStart: time.start })
  return (
    <Block component="section" framed p={16} aria-label="Свободное время">
      <HStack align="start">
        <Block grow>
          <h2>
            Свободно: {dayWords(time.date)}, {spanText({ from, to: from + time.minutes })}
          </h2>
          <Muted>{doctor.data && <UserLink user={doctor.data} />}</Muted>
        </Block>
        <IconButton icon={IconX} label="Закрыть свободное время" onClick={onClose} />
      </HStack>
      {found.isPending && <Loader size={20} mt={12} />}
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && items.length === 0 && (
        <Muted component="p" mt={12}>
          Из листа ожидания это время никому не подходит.
        </Muted>
      )}
      {items.length > 0 && (
        <ol aria-label="Кому предложить">
          {items.map((one, at) => (
            <HStack key={one.id} component="li" gap={12} py={8} wrap rule={at ? 'top' : undefined}>
              <Block grow miw={200}>
                <strong>
                  <PatientName {...one} />
                </strong>{' '}
                {one.phone && (
                  <Muted>
                    <PhoneLink phone={one.phone} bare />
                  </Muted>
                )}
                <div>
                  {one.service}, {clockOf(from)}–{clockOf(from + one.minutes)}
                </div>
                <Fine>{one.reasons.join(' · ')}</Fine>
              </Block>
              <ActionButton
                label="Предложить"
                aria-label={`Предложить: ${one.patient ?? one.service}`}
                variant={at === 0 ? 'filled' : 'light'}
                disabled={busy}
                onClick={() => void offer(one)}
              />
            </HStack>
          ))}
        </ol>
      )}
      {found.data && found.data.unfit.length > 0 && (
        <details>
          <summary>Не подходит: {counted(found.data.unfit.length, ['пациент', 'пациента', 'пациентов'])}</summary>
          <ul>
            {found.data.unfit.map((one) => (
              <li key={one.id}>
                <PatientName {...one} />, {one.service}: <Muted>{one.reason}</Muted>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Block>
  )
}
