import { Button, Group, Modal, Radio } from '@mantine/core'
import type { AnyField, Entity } from '@ordinator/model/entity'
import { formatHuman } from '@ordinator/model/format'
import { useState } from 'react'
import { personName } from '../../kit/UserAvatar.tsx'
import type { Choices, Conflict } from '../conflict.ts'
import { FieldValue } from '../FieldValue.tsx'
import { useHistory } from '../reads.ts'
import classes from './ConflictDialog.module.css'

interface Props {
  entity: Entity
  id: number
  conflict: Conflict
  saving: boolean
  onResolve: (choices: Choices) => void
  /** Back to the form with nothing decided; without it a choice has to be made. */
  onClose?: () => void
}

/** A stale write: both versions field by field, and what becomes of each. Nothing is overwritten unasked. */
export function ConflictDialog({ entity, id, conflict, saving, onResolve, onClose }: Props) {
  const [choices, setChoices] = useState<Choices>({})
  const all = (side: 'mine' | 'saved') =>
    setChoices(Object.fromEntries(conflict.both.map(({ field }) => [field, side])))
  const last = useHistory(entity, id, { limit: 1 }).data?.pages[0]?.items[0]
  const who = last?.user ? `${personName(last.user)}, ${formatHuman(last.dateCreate)}` : 'Другой сотрудник'
  return (
    <Modal
      opened
      onClose={onClose ?? (() => {})}
      withCloseButton={onClose !== undefined}
      closeOnEscape={onClose !== undefined}
      closeOnClickOutside={false}
      title="Запись уже изменили"
      size={720}
      zIndex={300}
    >
      <p className={classes.lead}>
        {conflict.both.length > 0
          ? `${who}: сохранены другие значения. Выберите, что оставить.`
          : `${who}: изменены другие поля. Ваши изменения их не затронут.`}
      </p>
      {conflict.both.length > 1 && (
        <Group gap={8} mb="sm">
          <Button variant="default" size="compact-sm" onClick={() => all('mine')}>
            Везде ваше
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => all('saved')}>
            Везде сохранённое
          </Button>
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
      <Group justify="flex-end" gap={8} mt="md">
        {onClose && (
          <Button variant="default" onClick={onClose}>
            Вернуться к форме
          </Button>
        )}
        <Button loading={saving} data-autofocus onClick={() => onResolve(choices)}>
          {conflict.both.length > 0 ? 'Сохранить выбранное' : 'Сохранить'}
        </Button>
      </Group>
    </Modal>
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
