import { Select } from '@mantine/core'
import { type MessageEvent, messageEvents } from '@ordinator/model/areas/messages/events'
import { delayed } from '@ordinator/model/areas/messages/messageTemplate'
import { useFormContext } from 'react-hook-form'
import { type InputProps, inputFrame } from '#records/fields/ui.ts'

/** Event of a template; clears the delay for events with their own time. */
export function EventField(props: InputProps) {
  const { value, onChange } = props
  const form = useFormContext()
  const data = Object.entries(messageEvents).map(([event, label]) => ({ value: event, label }))
  return (
    <Select
      {...inputFrame(props)}
      data={data}
      value={(value as string | null) ?? null}
      onChange={(event) => {
        onChange(event)
        if (!delayed.includes(event as MessageEvent)) form.setValue('delay', 0, { shouldDirty: true })
      }}
      searchable
      maxDropdownHeight={320}
    />
  )
}
