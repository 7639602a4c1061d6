import { Button, Checkbox, TextInput } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { resultsView } from '@ordinator/model/areas/laboratory/access'
import { messages } from '@ordinator/model/messages'
import { IconAlertOctagon } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../base/api.ts'
import { PageLink } from '../../base/PageLink.tsx'
import { useActor } from '../../base/session.ts'
import { ActionDialog } from '../../kit/ActionDialog.tsx'
import { formatTime } from '../../kit/clock.ts'
import { DateTimeField } from '../../kit/DateTimeField.tsx'
import { notify } from '../../kit/notify.tsx'
import { VStack } from '../../kit/Stacks.tsx'
import { Fine } from '../../kit/Words.tsx'
import classes from './Laboratory.module.css'
import { type Critical, readLaboratory, useCriticals } from './reads.ts'

/** Critical values that nobody was called about: they stay over every page until somebody was. */
export default function CriticalBanner() {
  const actor = useActor()
  const mayCall = allowed(actor, resultsView)
  const items = useCriticals()
  const [calling, setCalling] = useState<Critical>()
  const [first] = items
  if (first === undefined) return null
  if (first === null)
    return (
      <aside className={classes.critical} aria-label="Критические значения" aria-busy>
        <IconAlertOctagon size={18} aria-hidden />
        <b>Критическое значение{items.length > 1 ? ` (ещё ${items.length - 1})` : ''}</b>
      </aside>
    )
  return (
    <aside className={classes.critical} role="alert" aria-label="Критические значения">
      <IconAlertOctagon size={18} aria-hidden />
      <span>
        <b>Критическое значение{items.length > 1 ? ` (ещё ${items.length - 1})` : ''}:</b> {first.patient},{' '}
        {first.analyte}{' '}
        <b>
          {first.value} {first.unit}
        </b>{' '}
        с {formatTime(first.since)}
        {first.doctor && `, назначил ${first.doctor}`}
      </span>
      <PageLink page="labOrder" params={{ id: first.idOrder }}>
        Заказ {first.number}
      </PageLink>
      {mayCall && (
        <Button size="compact-sm" color="red" onClick={() => setCalling(first)}>
          Записать звонок
        </Button>
      )}
      {calling && <CallDialog value={calling} onClose={() => setCalling(undefined)} />}
    </aside>
  )
}

/** Whom was told of a critical value, when, and that they have read it back. */
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
              {value.value} {value.unit}
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
