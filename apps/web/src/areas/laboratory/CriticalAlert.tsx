import { Button, Checkbox, TextInput } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { resultsView } from '@ordinator/model/areas/laboratory/access'
import { valueWords } from '@ordinator/model/areas/laboratory/values'
import { messages } from '@ordinator/model/messages'
import { IconAlertOctagon, IconPhoneCall } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './CriticalAlert.module.css'
import { type Critical, readLaboratory, useCriticals } from './reads.ts'
import { FlagMark } from './words.tsx'

/** Shown on every page while a critical value has not been reported: the count, and a list by click. */
export default function CriticalAlert({ count, narrow }: { count: number; narrow?: boolean | undefined }) {
  const [open, setOpen] = useState(false)
  const label = `Критические: ${count}`
  return (
    <>
      <Button
        color="red"
        variant="filled"
        size="compact-md"
        aria-label={narrow ? label : undefined}
        title="Критические значения анализов, о которых никому не сообщили"
        leftSection={<IconAlertOctagon size={18} aria-hidden />}
        className={classes.critical}
        data-narrow={narrow || undefined}
        onClick={() => setOpen(true)}
      >
        {narrow ? count : label}
      </Button>
      {open && <CriticalDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function CriticalDialog({ onClose }: { onClose: () => void }) {
  const mayCall = allowed(useActor(), resultsView)
  const answer = useCriticals()
  const [calling, setCalling] = useState<Critical>()
  const { data } = answer
  return (
    <Dialog title="Критические значения без звонка" size="lg" onClose={onClose}>
      {answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !data ? (
        <LinesSkeleton lines={3} />
      ) : data.items.length === 0 ? (
        <EmptyState title="Обо всех сообщили" text="Критических значений без записанного звонка нет." />
      ) : (
        <ul className={classes.criticals}>
          {data.items.map((one) => (
            <li key={one.id}>
              <div>
                <b>{one.patient}</b>{' '}
                <PageLink page="labOrder" params={{ id: one.idOrder }} onClick={onClose}>
                  {one.number}
                </PageLink>
                <div>
                  {one.analyte}: <b>{[valueWords(one.value), one.unit].filter(Boolean).join(' ')}</b>{' '}
                  <FlagMark flag={one.flag} />
                  {one.normText && <Fine> норма {one.normText}</Fine>}
                </div>
                <Fine component="div">
                  с {formatDateTime(one.since)}
                  {one.doctor && `, врач ${one.doctor}`}
                  {one.phone && `, ${one.phone}`}
                </Fine>
              </div>
              {mayCall && <ActionButton label="Записать звонок" icon={IconPhoneCall} onClick={() => setCalling(one)} />}
            </li>
          ))}
        </ul>
      )}
      {calling && <CallDialog value={calling} onClose={() => setCalling(undefined)} />}
    </Dialog>
  )
}

/** Records the report of a critical value: person, time, and read-back. */
export function CallDialog({
  value,
  onClose,
}: {
  value: Pick<Critical, 'id' | 'analyte' | 'value' | 'unit' | 'patient' | 'doctor' | 'phone'>
  onClose: () => void
}) {
  const cache = useQueryClient()
  const [to, setTo] = useState(value.doctor ?? '')
  const [at, setAt] = useState<string | null>(new Date().toISOString())
  const [readBack, setReadBack] = useState(false)
  return (
    <ActionDialog
      title="Звонок о критическом значении"
      action="Записать"
      faults={{
        to: !to.trim() && 'Укажите, кому сообщили',
        at: !at && messages.required,
        readBack: !readBack && 'Попросите повторить значение в ответ',
      }}
      onClose={onClose}
      run={async () => {
        await api(
          'POST /laboratory/results/:id/critical',
          { params: { id: value.id }, body: { to, at: at as string, readBack: true } },
          { forbidden: 'toast' },
        )
        await readLaboratory(cache)
        notify.success('Звонок записан')
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <span>
            {value.patient}: {value.analyte}{' '}
            <b>
              {valueWords(value.value)} {value.unit}
            </b>
            {value.phone && <Fine component="div">Телефон врача: {value.phone}</Fine>}
          </span>
          <TextInput
            label="Кому сообщили"
            required
            maxLength={255}
            value={to}
            error={errorOf('to')}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <DateTimeField label="Когда" required value={at} onChange={setAt} error={errorOf('at')} />
          <Checkbox
            label="Повторили значение в ответ"
            checked={readBack}
            error={errorOf('readBack')}
            onChange={(event) => setReadBack(event.currentTarget.checked)}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}
