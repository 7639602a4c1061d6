import { Checkbox, Input } from '@mantine/core'
import { eventActions, eventOf } from '@ordinator/model/areas/exchange/webhook'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import type { InputProps } from '#records/fields/ui.ts'
import classes from './EventsInput.module.css'

type Group = Answer<'GET /webhooks/events'>['groups'][number]

/** Events of a webhook, grouped by area; generated from the declared entities. */
export function EventsInput({ value, onChange, error, readOnly }: InputProps) {
  const chosen = new Set((value ?? []) as string[])
  const [search, setSearch] = useState('')
  const known = useQuery({
    queryKey: ['webhook-events'],
    queryFn: ({ signal }) => api('GET /webhooks/events', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const toggle = (names: readonly string[], checked: boolean) => {
    const next = new Set(chosen)
    for (const name of names) checked ? next.add(name) : next.delete(name)
    onChange([...next])
  }
  const groups = matching(known.data?.groups ?? [], search)
  return (
    <VStack component="section" gap={12} miw={0} mt={12} aria-label="События">
      <HStack justify="space-between" align="baseline">
        <Input.Label component="span">События</Input.Label>
        <Muted>{chosen.size > 0 ? `Выбрано: ${chosen.size}` : 'Пока ни одного: ничего не отправляется'}</Muted>
      </HStack>
      {error && <Input.Error>{error}</Input.Error>}
      {known.isPending && <LinesSkeleton lines={6} />}
      {known.isError && <ErrorState error={known.error} onRetry={() => void known.refetch()} />}
      {known.data && (
        <>
          <SearchField
            aria-label="Найти запись"
            placeholder="Найти: клиент, платёж, задача"
            value={search}
            onChange={setSearch}
          />
          {groups.length === 0 && <EmptyState title="Таких записей нет" text="Попробуйте другое слово" />}
          {groups.map((group) => (
            <EventGroup key={group.title} group={group} chosen={chosen} readOnly={readOnly} onToggle={toggle} />
          ))}
        </>
      )}
    </VStack>
  )
}

function matching(groups: readonly Group[], search: string): Group[] {
  const wanted = search.trim().toLocaleLowerCase('ru')
  return groups.flatMap((group) => {
    if (group.title.toLocaleLowerCase('ru').includes(wanted)) return [group]
    const entities = group.entities.filter(({ label }) => label.toLocaleLowerCase('ru').includes(wanted))
    return entities.length > 0 ? [{ ...group, entities }] : []
  })
}

interface GroupProps {
  group: Group
  chosen: ReadonlySet<string>
  readOnly: boolean | undefined
  onToggle: (names: readonly string[], checked: boolean) => void
}

function EventGroup({ group, chosen, readOnly, onToggle }: GroupProps) {
  const id = useId()
  const held = group.entities.reduce((sum, { actions }) => sum + actions.filter((name) => chosen.has(name)).length, 0)
  return (
    <fieldset className={classes.group} aria-labelledby={id}>
      <HStack justify="space-between" rule="bottom" pb={8} fw={600}>
        <span id={id}>{group.title}</span>
        {held > 0 && <Fine flex="none">выбрано {held}</Fine>}
      </HStack>
      {group.entities.map(({ path, label, actions }) => (
        <fieldset key={path} className={classes.entity} aria-label={label}>
          <span>{label}</span>
          <HStack gap="4px 16px" wrap>
            {actions.map((name) => (
              <Checkbox
                key={name}
                size="sm"
                checked={chosen.has(name)}
                disabled={readOnly}
                label={actionWords(name)}
                onChange={(event) => onToggle([name], event.currentTarget.checked)}
              />
            ))}
          </HStack>
        </fieldset>
      ))}
    </fieldset>
  )
}

const actionWords = (name: string): string => {
  const event = eventOf(name)
  return event ? eventActions[event.action] : name
}
