import { Group, Radio } from '@mantine/core'
import type { AnyField, Entity } from '@ordinator/model/entity'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { formatHuman } from '#kit/clock.ts'
import { personName } from '#kit/UserAvatar.tsx'
import type { Choices, Conflict } from '../conflict.ts'
import { FieldValue } from '../FieldValue.tsx'
import { useHistory } from '../reads.ts'
import classes from './ConflictDialog.module.css'

interface Props {
  entity: Entity
  id: number
  conflict: Conflict
  /** The conflict disappears when it is resolved. */
  onResolve: (choices: Choices) => unknown
  /** Back to the form without a decision; absent: a choice is required. */
  onClose?: () => void
}

/** A stale write: both versions field by field, with a choice for each. Nothing is overwritten without asking. */
export function ConflictDialog({ entity, id, conflict, onResolve, onClose }: Props) {
  const [choices, setChoices] = useState<Choices>({})
  const all = (side: 'mine' | 'saved') =>
    setChoices(Object.fromEntries(conflict.both.map(({ field }) => [field, side])))
  const last = useHistory(entity, id, { limit: 1 }).data?.pages[0]?.items[0]
  const who = last?.user ? `${personName(last.user)}, ${formatHuman(last.dateCreate)}` : 'Другой сотрудник'
  return (
    <ActionDialog
      title="Запись уже изменили"
      size={720}
      closeOnClickOutside={false}
      cancel={onClose ? 'Вернуться к форме' : null}
      action={conflict.both.length > 0 ? 'Сохранить выбранное' : 'Сохранить'}
      run={async () => {
        await onResolve(choices)
        return false
      }}
      onClose={onClose ?? (() => {})}
    >
      <p className={classes.lead}>
        {conflict.both.length > 0
          ? `${who}: сохранены другие значения. Выберите, что оставить.`
          : `${who}: изменены другие поля. Ваши изменения их не затронут.`}
      </p>
      {conflict.both.length > 1 && (
        <Group gap={8} mb="sm">
          <ActionButton label="Везде ваше" variant="default" size="compact-sm" onClick={() => all('mine')} />
          <ActionButton label="Везде сохранённое" variant="default" size="compact-sm" onClick={() => all('saved')} />
        </Group>
      )}
      {conflict.both.map(({ field, mine, saved }) => {
        const f = entity.all[field] as AnyField
        return (
          <Radio.Group
            key={field}
            label={f.options.label}
            value={choices[field] ?? 'mine'}
            onChange={(side) => setChoices({ ...choices, [field]: side as 'mine' | 'saved' })}
            className={classes.field}
          >
            <div className={classes.sides}>
              <Side value="mine" title="Ваше" f={f} shown={mine} />
              <Side value="saved" title="Уже сохранено" f={f} shown={saved} />
            </div>
          </Radio.Group>
        )
      })}
      {conflict.theirs.length > 0 && (
        <div className={classes.theirs}>
          <div className={classes.caption}>Также изменено и останется:</div>
          <ul>
            {conflict.theirs.map(({ field, from, to }) => {
              const f = entity.all[field] as AnyField
              return (
                <li key={field}>
                  {f.options.label}: <FieldValue f={f} value={from} empty="пусто" /> →{' '}
                  <FieldValue f={f} value={to} empty="пусто" />
                </li>
              )
            })}
          </ul>
        </div>
      )}
    </ActionDialog>
  )
}

function Side({ value, title, f, shown }: { value: 'mine' | 'saved'; title: string; f: AnyField; shown: unknown }) {
  return (
    <Radio.Card value={value} className={classes.side} aria-label={title}>
      <span className={classes.sideTitle}>
        <span className={classes.mark} aria-hidden />
        {title}
      </span>
      <span className={classes.text}>
        <FieldValue f={f} value={shown} empty="пусто" />
      </span>
    </Radio.Card>
  )
}
