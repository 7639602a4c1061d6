import { Task } from '@ordinator/model/areas/tasks/task'
import { IconPlus, IconTemplate } from '@tabler/icons-react'
import { useState } from 'react'
import { records } from '../../../records/client.ts'
import { refused } from './boardStore.ts'
import classes from './QuickAdd.module.css'

interface Props {
  idColumn: number
  columnName: string
  onCreated: (idTask: number) => void
  /** Asks for a template instead. */
  onTemplate: () => void
  onClose: () => void
}

const MAX_NAME = 255
const drafts = new Map<number, string>()

/** Makes tasks one after another: Enter creates, Escape closes and keeps what was typed. */
export function QuickAdd({ idColumn, columnName, onCreated, onTemplate, onClose }: Props) {
  const [name, setName] = useState(() => drafts.get(idColumn) ?? '')
  const change = (value: string) => {
    setName(value)
    if (value) drafts.set(idColumn, value)
    else drafts.delete(idColumn)
  }
  const create = async () => {
    const wanted = name.trim()
    if (!wanted) return
    change('')
    try {
      const task = await records.create(Task, { name: wanted, idColumn })
      onCreated(task.id)
    } catch (error) {
      // What could not be created comes back to the field, unless something new is being typed there.
      setName((now) => now || wanted)
      if (!drafts.has(idColumn)) drafts.set(idColumn, wanted)
      refused(error)
    }
  }
  return (
    <div className={classes.form}>
      <textarea
        className={classes.field}
        aria-label={`Новая задача в колонке «${columnName}»`}
        placeholder="Название задачи"
        maxLength={MAX_NAME}
        rows={1}
        value={name}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field
        autoFocus
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void create()
          } else if (event.key === 'Escape') {
            event.preventDefault()
            event.stopPropagation()
            onClose()
          }
        }}
      />
      <div className={classes.line}>
        <button type="button" className={classes.button} onClick={onTemplate}>
          <IconTemplate size={14} aria-hidden /> Из шаблона
        </button>
        <span className={classes.hint}>Esc — закрыть</span>
        <button type="button" className={classes.button} onClick={() => void create()} disabled={!name.trim()}>
          <IconPlus size={14} aria-hidden /> Создать
        </button>
      </div>
    </div>
  )
}
