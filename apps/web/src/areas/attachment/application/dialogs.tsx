import { Select, Textarea } from '@mantine/core'
import { messages } from '@ordinator/model/messages'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { retries } from '#records/reads.ts'
import classes from '../Attachment.module.css'
import { type ApplicationRow, toast, useFresh } from './state.ts'

interface DialogProps {
  one: ApplicationRow
  onClose: () => void
}

export function ApproveDialog({ one, errors, onClose }: DialogProps & { errors: readonly string[] }) {
  const fresh = useFresh()
  const [attachedFrom, setFrom] = useState<string | null>(today())
  const [despite, setDespite] = useState('')
  return (
    <ActionDialog
      title="Одобрить прикрепление"
      action="Одобрить"
      faults={{
        attachedFrom: !attachedFrom && messages.required,
        despite: errors.length > 0 && !despite.trim() && 'Есть ошибки: напишите, почему всё же прикрепить',
      }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /attachment/applications/:id/approve',
          {
            params: { id: one.id },
            body: { attachedFrom: attachedFrom as string, ...(despite.trim() && { despite }), _version: one._version },
          },
          toast,
        )
        await fresh()
        notify.success('Заявление одобрено')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {errors.length > 0 && (
            <ul className={classes.checks}>
              {errors.map((words) => (
                <li key={words} data-level="error">
                  <IconAlertTriangle size={16} aria-hidden />
                  <span>{words}</span>
                </li>
              ))}
            </ul>
          )}
          <DateField
            label="Прикрепить с"
            required
            value={attachedFrom}
            error={errorOf('attachedFrom')}
            onChange={setFrom}
          />
          {errors.length > 0 && (
            <Textarea
              label="Почему всё же прикрепить"
              required
              autosize
              minRows={2}
              maxLength={500}
              value={despite}
              error={errorOf('despite')}
              onChange={(event) => setDespite(event.currentTarget.value)}
            />
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}

export function AttachDialog({ one, onClose }: DialogProps) {
  const fresh = useFresh()
  const [attachedFrom, setFrom] = useState<string | null>(one.attachedFrom ?? today())
  return (
    <ActionDialog
      title="Прикрепить"
      action="Прикрепить"
      faults={{ attachedFrom: !attachedFrom && messages.required }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /attachment/applications/:id/attach',
          { params: { id: one.id }, body: { attachedFrom: attachedFrom as string, _version: one._version } },
          toast,
        )
        await fresh()
        notify.success('Прикреплён')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <span>ТФОМС подтвердил прикрепление не через обмен, или обмена у клиники нет.</span>
          <DateField
            label="С какого дня"
            required
            value={attachedFrom}
            error={errorOf('attachedFrom')}
            onChange={setFrom}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}

export function RefuseDialog({ one, onClose }: DialogProps) {
  const fresh = useFresh()
  const [reason, setReason] = useState<string | null>(null)
  const reasons = useQuery({
    queryKey: ['attachment', 'reasons'],
    queryFn: ({ signal }) => api('GET /attachment/reasons', {}, { signal, forbidden: 'silent' }),
    retry: retries,
  })
  return (
    <ActionDialog
      title="Отказать в прикреплении"
      action="Отказать"
      danger
      faults={{ reason: !reason && messages.required }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /attachment/applications/:id/refuse',
          { params: { id: one.id }, body: { reason: reason as string, _version: one._version } },
          toast,
        )
        await fresh()
        notify.success('Отказ записан')
      }}
    >
      {(errorOf) => (
        <Select
          label="Причина"
          required
          data-autofocus
          description="Список задают в настройках прикрепления"
          data={reasons.data?.reasons ?? []}
          value={reason}
          error={errorOf('reason')}
          onChange={setReason}
        />
      )}
    </ActionDialog>
  )
}
