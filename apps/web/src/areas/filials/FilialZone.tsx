import { Input } from '@mantine/core'
import { Filial } from '@ordinator/model/areas/filials/filial'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { TimeZoneSelect } from '#kit/TimeZoneSelect.tsx'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'

/** Time zone of a branch: changing it needs a confirmation, as future visits and shifts keep their local time. */
export function FilialZone({ filial }: { filial: Pick<Row<typeof Filial>, 'id' | 'timeZone'> }) {
  const cache = useQueryClient()
  const { label, help } = Filial.fields.timeZone.options
  const [open, setOpen] = useState(false)
  const [timeZone, setZone] = useState<string | null>(null)
  const [ahead, setAhead] = useState<{ visits: number; shifts: number }>()
  const close = () => {
    setOpen(false)
    setZone(null)
    setAhead(undefined)
  }
  return (
    <Input.Wrapper label={label} description={help} labelElement="div">
      <HStack wrap mih={32}>
        <span>{filial.timeZone ?? 'Как у клиники'}</span>
        <ActionButton
          label="Сменить…"
          aria-label={`Сменить: ${label}`}
          size="compact-sm"
          variant="default"
          onClick={() => setOpen(true)}
        />
      </HStack>
      {open && (
        <ActionDialog
          title="Сменить часовой пояс"
          action={ahead ? 'Сменить пояс' : 'Дальше'}
          faults={{ timeZone: !timeZone && 'Выберите часовой пояс' }}
          onClose={close}
          run={async () => {
            const result = await api('POST /filials/:id/time-zone', {
              params: { id: filial.id },
              body: { timeZone: timeZone as string, confirmed: ahead !== undefined },
            })
            if (!result.changed) {
              setAhead(result)
              return false
            }
            await invalidateRecords(cache, Filial.path)
            notify.success('Часовой пояс изменён')
          }}
        >
          {(errorOf) => (
            <>
              <TimeZoneSelect
                label={label}
                value={timeZone}
                error={errorOf('timeZone')}
                onChange={(zone) => {
                  setZone(zone)
                  setAhead(undefined)
                }}
              />
              {ahead && (
                <p role="status">
                  Впереди {counted(ahead.visits, ['визит', 'визита', 'визитов'])} и{' '}
                  {counted(ahead.shifts, ['смена', 'смены', 'смен'])}. Они останутся на том же времени по часам филиала:
                  визит в 10:00 будет в 10:00 по новому поясу, напоминания уйдут по нему.
                </p>
              )}
              <Fine>Прошедшие визиты и смены не меняются.</Fine>
            </>
          )}
        </ActionDialog>
      )}
    </Input.Wrapper>
  )
}
