import { Filial } from '@ordinator/model/areas/filials/filial'
import { WaitingEntry } from '@ordinator/model/areas/visits/waiting'
import { IconClockUp, IconMessage, IconSend } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { api } from '#base/api.ts'
import { recordsWith } from '#base/client.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { notifyTitledFailure } from '#records/notifyFailure.ts'
import { useRecord } from '#records/reads.ts'
import { useCalendarAddress } from '../address.ts'
import { dayWords, shortDay } from '../day.ts'
import classes from './Booking.module.css'
import type { PlacedBooking } from './booking.ts'

const quiet = recordsWith({ forbidden: 'toast' })

/** Adds a full stop unless there is one. */
const ended = (text: string): string => `${text.replace(/\.+\s*$/, '')}.`

interface Props {
  id: number
  booking: PlacedBooking
  onSpoken?: ((text: string) => Promise<void>) | undefined
  onAgain: () => void
  onClose: () => void
}

/** Summary after booking, to read to the patient. */
export function DoneStep({ id, booking: { customer, slot, services, course }, onSpoken, onAgain, onClose }: Props) {
  const [, setAddress] = useCalendarAddress()
  const filial = useRecord(Filial, slot.idFilial, {}, { forbidden: 'silent' })
  const [isSent, markSent] = useState(false)
  const openVisit = () => setAddress({ visit: id, book: undefined, customer: undefined })
  useHotkey('o', openVisit, { label: 'Открыть запись', group: 'Запись' })
  const [waits, setWaits] = useState(false)
  const send = async () => {
    try {
      await api('POST /appointments/:id/message', { params: { id } }, { forbidden: 'toast' })
      markSent(true)
    } catch (error) {
      notifyTitledFailure('Сообщение не отправлено', error)
    }
  }
  /** Waiting list for an earlier time with the same doctor, until the visit. */
  const wait = async () => {
    try {
      for (const { value } of services)
        await quiet.create(WaitingEntry, {
          idCustomer: customer?.value as number,
          idFilial: slot.idFilial,
          idService: value,
          ...(!slot.parts && { doctors: [slot.idUser] }),
          dateTo: slot.localDate,
          note: `Хочет раньше: записан ${shortDay(slot.localDate)} в ${slot.localStart}`,
        })
      setWaits(true)
    } catch (error) {
      notifyTitledFailure('Не записано в лист ожидания', error)
    }
  }
  const [sent, setSent] = useState(false)
  const speech = useRef<HTMLParagraphElement>(null)
  const sendToChat = async () => {
    try {
      await onSpoken?.(speech.current?.innerText ?? '')
      setSent(true)
    } catch (error) {
      notifyTitledFailure('Не отправлено в чат', error)
    }
  }
  const place = [filial.data?.nameFilial, filial.data?.filialAddressFact].filter(Boolean).join(', ')
  return (
    <VStack gap={12}>
      <Muted>Прочитайте пациенту:</Muted>
      <p className={classes.speech} role="status" ref={speech}>
        Вы записаны: {course ? 'курс, ' : `${dayWords(slot.localDate)}, `}
        {course
          ? `${course.map((one) => `${shortDay(one.localDate)} в ${one.localStart}`).join('; ')}. ${services.map(({ label }) => label).join(', ')}`
          : slot.parts
            ? slot.parts.map((one) => `в ${one.localStart}, врач ${one.userName} — ${one.serviceName}`).join('; ')
            : `в ${slot.localStart}, врач ${ended(slot.userName)} ${services.map(({ label }) => label).join(', ')}`}
        . {place && `Ждём вас: ${place}. `}
        Возьмите с собой паспорт и, если есть, полис.
      </p>
      <HStack wrap gap={6}>
        {onSpoken && (
          <ActionButton
            label={sent ? 'Отправлено в чат' : 'Отправить в чат'}
            icon={IconSend}
            size="compact-sm"
            disabled={sent}
            onClick={() => void sendToChat()}
          />
        )}
        <ActionButton
          label={isSent ? 'Сообщение отправляется' : 'Отправить пациенту сообщением'}
          icon={IconMessage}
          variant="light"
          size="compact-sm"
          disabled={isSent}
          onClick={() => void send()}
        />
        {!course && customer && (
          <ActionButton
            label={waits ? 'Ждёт более раннего времени' : 'Хочет раньше'}
            icon={IconClockUp}
            variant="light"
            size="compact-sm"
            disabled={waits}
            onClick={() => void wait()}
          />
        )}
      </HStack>
      <HStack justify="end" wrap>
        <ActionButton label="Открыть запись" variant="subtle" onClick={openVisit} />
        <ActionButton label="Ещё запись" variant="default" onClick={onAgain} />
        <ActionButton label="Готово" autoFocus onClick={onClose} />
      </HStack>
    </VStack>
  )
}
