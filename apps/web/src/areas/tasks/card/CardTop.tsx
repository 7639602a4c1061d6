import { CloseButton, Select } from '@mantine/core'
import { IconArchive, IconArchiveOff, IconLink, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { PrintMenu } from '#areas/prints/index.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { copyLink } from '#kit/copyLink.ts'
import { IconButton } from '#kit/IconButton.tsx'
import classes from '#kit/openCard.module.css'
import { cardPath } from '../board/CardActions.tsx'
import { cardMenu } from '../board/menus.ts'
import type { SectionProps } from './SectionProps.ts'

interface Props extends SectionProps {
  onMove: (idColumn: number) => void
  /** State of saving. */
  children: ReactNode
}

/** Column, state of saving, actions. */
export function CardTop({ card, data, rights, store, mayEdit, onMove, onClose, children }: Props) {
  const [dialog, setDialog] = useState<ReactNode>()
  const { task } = card
  const columns = data.columns.data?.items ?? []
  const archived = card.isArchive || task.isArchive
  return (
    <>
      <div className={classes.top}>
        <Select
          size="sm"
          className={classes.column}
          aria-label="Колонка"
          disabled={!rights.drag}
          data={columns.map((c) => ({ value: String(c.id), label: c.name }))}
          value={String(card.idColumn)}
          onChange={(value) => value && Number(value) !== card.idColumn && onMove(Number(value))}
        />
        {children}
        <div className={classes.topActions}>
          <PrintMenu entity="tasks-management/tasks" id={task.id} variant="subtle" />
          <IconButton
            icon={IconLink}
            label="Скопировать ссылку"
            onClick={() => void copyLink(cardPath(store.scope.idBoard, card.id), 'Ссылка на задачу')}
          />
          <ActionMenu label="Действия с задачей" width={220}>
            <MenuItem
              label={archived ? 'Вернуть из архива' : 'В архив'}
              disabled={!mayEdit}
              icon={archived ? IconArchiveOff : IconArchive}
              onClick={() => {
                void store.archive(card.id, !archived)
                onClose()
              }}
            />
            {cardMenu.map((Items, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a constant list
              <Items key={at} card={card} data={data} rights={rights} store={store} show={setDialog} />
            ))}
            <MenuItem
              label="Удалить"
              danger
              disabled={!rights.task('delete', task)}
              icon={IconTrash}
              onClick={() => {
                void store.remove(card.id)
                onClose()
              }}
            />
          </ActionMenu>
          <CloseButton aria-label="Закрыть" onClick={onClose} />
        </div>
      </div>
      {dialog}
    </>
  )
}
