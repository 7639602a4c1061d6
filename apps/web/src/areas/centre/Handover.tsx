import { Checkbox, Select, Textarea } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import type { HandoverPart } from '@ordinator/model/areas/centre/calls'
import { IconPlayerPlay, IconTransferOut } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { useDraft } from '#base/draft.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useAccount, useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { FailedLoad } from '#kit/FailedLoad.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { countsText, useHandover, useHandoverChanged, useUndoHandover } from './useHandover.ts'

/** Labels are repeated here: the web imports only the type of a declared call. */
const parts: Record<HandoverPart, { label: string; hint: string }> = {
  chats: { label: 'Чаты', hint: 'открытые и с обещанным шагом' },
  online: { label: 'Чат с пациентом', hint: 'незакрытые диалоги' },
  calls: { label: 'Звонки', hint: 'кому перезвонить и что обещано' },
  appeals: { label: 'Обращения', hint: 'без итога' },
  tasks: { label: 'Задачи', hint: 'на сегодня и просроченные' },
}
const names = Object.keys(parts) as HandoverPart[]

/** Link to the simulator, if available. */
export function SimulatorButton() {
  const { common } = useAccount()
  const may = holds(useActor(), 'mainSettings')
  if (!common.demo || !may) return null
  return (
    <ActionButton
      label="Симулятор"
      icon={IconPlayerPlay}
      variant="subtle"
      renderRoot={(props) => <PageLink {...props} page="simulator" />}
    />
  )
}

export function HandoverButton() {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ActionButton label="Передать смену…" icon={IconTransferOut} variant="default" onClick={() => setOpened(true)} />
      {opened && <HandoverDialog onClose={() => setOpened(false)} />}
    </>
  )
}

/** Shift handover: one colleague, one note, complete parts. */
export function HandoverDialog({ onClose }: { onClose: () => void }) {
  const [to, setTo] = useState<number | null>(null)
  const draft = useDraft<string>('shiftHandover')
  const [note, setNote] = useState(draft.found?.value ?? '')
  const [left, setLeft] = useState<readonly HandoverPart[]>([])
  const found = useHandover(to)
  const changed = useHandoverChanged()
  const undo = useUndoHandover()
  const { counts, people = [], closed = [], staying = 0, given } = found.data ?? {}
  const chosen = names.filter(
    (part) => counts !== undefined && counts[part] > 0 && !left.includes(part) && !closed.includes(part),
  )
  const nothing = counts !== undefined && names.every((part) => counts[part] === 0)
  return (
    <ActionDialog
      title="Передать смену"
      action="Передать"
      size={480}
      disabled={!found.data || (nothing && staying === 0)}
      faults={{
        idUser: to === null && 'Выберите, кому передать',
        note: !note.trim() && 'Напишите, что важно знать',
        parts: to !== null && chosen.length === 0 && 'Отметьте, что передать',
      }}
      run={async () => {
        const made = await api(
          'POST /shift-handover',
          { body: { idUser: to as number, note: note.trim(), parts: [...chosen] } },
          { forbidden: 'silent' },
        )
        draft.drop()
        await changed()
        notify.undo(`Передано: ${countsText(made.counts)}`, () => undo(made.id))
      }}
      onClose={onClose}
    >
      {(errorOf) =>
        found.isPending ? (
          <LinesSkeleton lines={5} />
        ) : found.isError && !found.data ? (
          <FailedLoad load={found} />
        ) : (
          <VStack gap={12}>
            {given && (
              <HStack wrap justify="space-between">
                <Fine>Недавно вы передали смену: {given.to}</Fine>
                <ActionButton
                  label="Вернуть"
                  reverse
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => void undo(given.id)}
                />
              </HStack>
            )}
            {nothing && staying === 0 ? (
              <Muted>Передавать нечего: чатов, обещаний и задач на сегодня у вас нет.</Muted>
            ) : (
              <>
                <Select
                  label="Кому"
                  withAsterisk
                  searchable
                  openOnFocus={false}
                  data-autofocus
                  nothingFoundMessage="Никого не нашлось"
                  data={people.map((one) => ({
                    value: String(one.id),
                    label: `${one.shortFio}${one.isOnline ? ' · на месте' : ''}`,
                  }))}
                  value={to === null ? null : String(to)}
                  error={errorOf('idUser')}
                  onChange={(value) => setTo(value === null ? null : Number(value))}
                />
                <Checkbox.Group
                  label="Что передать"
                  error={errorOf('parts')}
                  value={chosen as HandoverPart[]}
                  onChange={(now) => setLeft(names.filter((part) => !now.includes(part)))}
                >
                  <VStack gap={8} mt={4}>
                    {names.map((part) => (
                      <Checkbox
                        key={part}
                        value={part}
                        disabled={!counts || counts[part] === 0 || closed.includes(part)}
                        label={`${parts[part].label}: ${counts?.[part] ?? 0}`}
                        description={
                          closed.includes(part)
                            ? 'у этого сотрудника нет права на них'
                            : part === 'tasks' && staying > 0
                              ? `${parts[part].hint}; ещё ${staying} остаётся у вас: коллеги нет в их пространствах`
                              : parts[part].hint
                        }
                      />
                    ))}
                  </VStack>
                </Checkbox.Group>
                <Textarea
                  label="Заметка"
                  description="Одна на всё; в чатах её увидят операторы, но не посетители"
                  withAsterisk
                  autosize
                  minRows={3}
                  maxRows={8}
                  maxLength={2000}
                  value={note}
                  error={errorOf('note')}
                  onChange={(event) => {
                    setNote(event.currentTarget.value)
                    draft.keep(event.currentTarget.value)
                  }}
                />
              </>
            )}
          </VStack>
        )
      }
    </ActionDialog>
  )
}
