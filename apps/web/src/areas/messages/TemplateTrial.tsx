import { useDebouncedValue } from '@mantine/hooks'
import type { MessageEvent } from '@ordinator/model/areas/messages/events'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { formatMoney } from '@ordinator/model/format'
import { IconMail, IconMessage } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'
import { sizeWords } from './TemplateText.tsx'

/** Milliseconds without typing until the sample is updated. */
const CALM_MS = 400

/** Sample of the text in the form, and a test message to the own phone or e-mail. */
export function TemplateTrial() {
  const [text, event] = useWatch({ name: ['text', 'event'] }) as [string | null, MessageEvent | null]
  const [idAppointment, setVisit] = useState<number | null>(null)
  const [busy, setBusy] = useState<'sms' | 'email'>()
  const seesVisits = useCan('view', Appointment)
  const [asked] = useDebouncedValue({ text: (text ?? '').trim(), event, idAppointment }, CALM_MS)
  const preview = useQuery({
    queryKey: ['message preview', asked],
    queryFn: ({ signal }) =>
      api(
        'POST /message-templates/preview',
        { body: { ...asked, event: asked.event as MessageEvent } },
        { signal, quiet: true, forbidden: 'silent' },
      ),
    enabled: asked.text !== '' && asked.event !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    meta: { reportsFailure: true },
  })
  const send = async (channel: 'sms' | 'email') => {
    setBusy(channel)
    try {
      const body = { text: (text ?? '').trim(), event: event as MessageEvent, channel }
      const { to, isUnknown } = await api('POST /message-templates/test', { body }, { forbidden: 'toast' })
      notify.success(isUnknown ? `Ушло на ${to}, но дошло ли — неизвестно` : `Отправлено на ${to}`)
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <section aria-label="Проверка">
      <VStack gap={8}>
        {seesVisits && (
          <RefSelect
            to={Appointment.path}
            label="Как прочтёт пациент"
            description="Выберите запись, чтобы увидеть её данные; без неё стоят придуманные"
            value={idAppointment}
            onChange={(id) => setVisit(id)}
            openOnFocus={false}
          />
        )}
        <Block framed p={12} className="breaks" style={{ whiteSpace: 'pre-wrap' }} aria-live="polite">
          {preview.isError ? (
            <Muted>{errorMessage(preview.error)}</Muted>
          ) : preview.data && asked.text ? (
            preview.data.text
          ) : (
            <Muted>Напишите текст, и здесь будет сообщение</Muted>
          )}
        </Block>
        {preview.data && asked.text && !preview.isError && (
          <Fine>
            {sizeWords(preview.data.text)}
            {preview.data.cost !== null && ` · ${formatMoney(preview.data.cost)}`}
          </Fine>
        )}
        <HStack gap={8} wrap>
          <ActionButton
            label="СМС себе"
            variant="default"
            icon={IconMessage}
            loading={busy === 'sms'}
            disabled={!text?.trim() || !event}
            onClick={() => void send('sms')}
          />
          <ActionButton
            label="Письмо себе"
            variant="default"
            icon={IconMail}
            loading={busy === 'email'}
            disabled={!text?.trim() || !event}
            onClick={() => void send('email')}
          />
        </HStack>
      </VStack>
    </section>
  )
}
