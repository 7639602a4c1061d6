import { Alert } from '@mantine/core'
import { IconPlus, IconTemplate } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import classes from '#kit/openCard.module.css'
import { CreateFromTemplate } from '../templates/CreateFromTemplate.tsx'
import type { SectionProps } from './SectionProps.ts'

/** Marks the open card as a template, with a button to create a task. */
export function TemplateNote({ card, data, rights }: SectionProps) {
  const [creating, setCreating] = useState(false)
  if (!card.task.isTemplate) return null
  return (
    <Alert variant="light" color="teal" icon={<IconTemplate size={18} />} title="Это шаблон">
      На доске его нет. Правки не меняют задач, которые из него уже созданы.
      {rights.createTask && (
        <div className={classes.alertActions}>
          <ActionButton label="Создать задачу" size="compact-sm" icon={IconPlus} onClick={() => setCreating(true)} />
        </div>
      )}
      {creating && (
        <CreateFromTemplate
          template={{ id: card.id, name: card.task.name, idColumn: card.idColumn }}
          columns={data.columns.data?.items ?? []}
          onClose={() => setCreating(false)}
        />
      )}
    </Alert>
  )
}
