import { Box, Skeleton, Text, Title } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { Board, BoardMember } from '@ordinator/model/areas/tasks/board'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import {
  IconLayoutKanban,
  IconPencil,
  IconPlus,
  IconSearch,
  IconStar,
  IconStarFilled,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { records } from '#base/client.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { part } from '#kit/chunk.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useEndlessList, useList } from '#records/reads.ts'
import { useRemove } from '#records/writes.ts'
import { useTasksAddress } from '../address.ts'
import { notifyBoardFailure } from '../board/boardStore.ts'
import { useJoin } from '../board/JoinBoard.tsx'
import type { BoardRow } from '../board/useBoardData.ts'
import { BoardsMenu } from '../import/BoardsMenu.tsx'
import { BoardIcon } from './BoardIcon.tsx'
import classes from './BoardsPage.module.css'
import { memberForms } from './memberForms.ts'

const BoardForm = part(() => import('./BoardForm.tsx'))
const page = pageByKey('tasks')
const PAGE = 60
/** Limit of the user's memberships, loaded at once for the rights. */
const MAX_OWN = 500

/** Visible workspaces: favourites, own ones, then public ones to join. */
export function BoardsPage() {
  const actor = useActor()
  const [address, setAddress] = useTasksAddress()
  const [text, setText] = useState(address.q ?? '')
  const [changed, setForm] = useState<BoardRow>()
  const form = address.open ?? changed
  const create = () => setAddress({ open: 'new' })
  const list = useEndlessList(Board, {
    // In group order, so that a page never splits a group.
    sort: ['-isFavourite', '-isMember', 'name'],
    limit: PAGE,
    ...(address.q && { filter: { name: { ilike: address.q } } }),
  })
  const boards = list.items
  const search = (q: string) => {
    setText(q)
    setAddress({ q: q.trim() || undefined }, { replace: true })
  }
  useHotkey('n', create, { label: 'Новое пространство', group: page.title })
  const own = useList(BoardMember, { filter: { idUser: actor.id }, limit: MAX_OWN }, { forbidden: 'silent' })
  const mine = useMemo(() => new Map(own.data?.items.map((member) => [member.idBoard, member])), [own.data])
  const groups = [
    { title: 'Избранные', items: boards.filter((b) => b.isFavourite) },
    { title: 'Мои', items: boards.filter((b) => b.isMember && !b.isFavourite) },
    { title: 'Другие', items: boards.filter((b) => !b.isMember) },
  ].filter((group) => group.items.length > 0)

  const adding = <ActionButton label="Новое пространство" icon={IconPlus} onClick={create} />
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          <>
            <BoardsMenu />
            {adding}
          </>
        }
      >
        <SearchField
          w={280}
          aria-label="Поиск пространства"
          placeholder="Найти пространство"
          clearLabel="Очистить"
          value={text}
          onChange={search}
        />
      </PageHead>
      <Box px="var(--ord-page)" pb="var(--ord-page)">
        {list.isPending ? (
          <div className={classes.grid} aria-busy="true">
            {[0, 1, 2, 3, 4, 5].map((i) => (
              <Skeleton key={i} height={112} radius="md" />
            ))}
          </div>
        ) : list.isError && boards.length === 0 ? (
          <ErrorState
            title="Не удалось получить список своих рабочих пространств"
            error={list.error}
            onRetry={() => void list.refetch()}
          />
        ) : boards.length === 0 ? (
          address.q ? (
            <EmptyState
              icon={IconSearch}
              title="Ничего не найдено"
              text={`Нет пространств с названием «${address.q}».`}
              action={<ActionButton label="Очистить поиск" variant="light" onClick={() => search('')} />}
            />
          ) : (
            <EmptyState
              icon={IconLayoutKanban}
              title="Пространств пока нет"
              text="Создайте первое: в нём будет доска с колонками, задачи и участники."
              action={adding}
            />
          )
        ) : (
          groups.map((group) => (
            <section key={group.title} aria-label={group.title} className={classes.group}>
              <Title order={2} size="h3" mb={8} c="dimmed">
                {group.title}
              </Title>
              <ul className={classes.grid}>
                {group.items.map((board) => (
                  <Tile key={board.id} board={board} member={mine.get(board.id)} onEdit={() => setForm(board)} />
                ))}
              </ul>
            </section>
          ))
        )}
        {list.hasNextPage && (
          <ActionButton
            label="Показать ещё"
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          />
        )}
      </Box>
      {form && (
        <BoardForm
          board={form === 'new' ? undefined : form}
          columns={[]}
          onClose={() => {
            setForm(undefined)
            setAddress({ open: undefined }, { replace: true })
          }}
          onCreated={(board) => setAddress({ board: board.id, q: undefined, open: undefined })}
        />
      )}
    </>
  )
}

function Tile({
  board,
  member,
  onEdit,
}: {
  board: BoardRow
  member: Row<typeof BoardMember> | undefined
  onEdit: () => void
}) {
  const actor = useActor()
  const client = useQueryClient()
  const remove = useRemove(Board, { message: 'Пространство удалено' })
  const join = useJoin()
  const isMaster = board.idUser === actor.id || holds(actor, 'bypassTaskRights')
  const star = async () => {
    if (!member) return
    try {
      await records.update(BoardMember, member.id, { isFavourite: !board.isFavourite })
    } catch (error) {
      notifyBoardFailure(error)
    }
    void invalidateRecords(client, Board.path)
    void invalidateRecords(client, BoardMember.path)
  }
  const outside = !board.isMember && !isMaster
  return (
    <li className={classes.tile} data-board={board.id}>
      <HStack gap={10}>
        <BoardIcon icon={board.icon} color={board.color} size={36} />
        <PageLink page="tasks" search={{ board: board.id }} className={classes.name}>
          {board.name}
        </PageLink>
        <span className={classes.buttons}>
          {member && (
            <IconButton
              icon={board.isFavourite ? IconStarFilled : IconStar}
              size={28}
              color={board.isFavourite ? 'yellow' : 'gray'}
              label={
                board.isFavourite ? `Убрать «${board.name}» из избранного` : `Добавить «${board.name}» в избранное`
              }
              aria-pressed={board.isFavourite}
              onClick={() => void star()}
            />
          )}
          {(isMaster || member?.canEditBoard) && (
            <ActionMenu label={`Действия с пространством «${board.name}»`} size={28} width={180}>
              <MenuItem label="Изменить" icon={IconPencil} onClick={onEdit} />
              {isMaster && <MenuItem label="Удалить" danger icon={IconTrash} onClick={() => remove.mutate(board.id)} />}
            </ActionMenu>
          )}
        </span>
      </HStack>
      <Text lineClamp={2} c="dimmed" flex={1}>
        {board.description}
      </Text>
      <HStack gap={12} c="dimmed" fz={12} mih={26} wrap>
        <span>{counted(board.membersCount, memberForms)}</span>
        {board.isPublic && (
          <HStack component="span" gap={4} display="inline-flex">
            <IconWorld size={14} aria-hidden /> Публичное
          </HStack>
        )}
        {outside && board.isPublic && (
          <ActionButton
            label="Вступить"
            className={classes.join}
            size="compact-sm"
            variant="light"
            loading={join.isPending}
            onClick={() => join.mutate(board.id)}
          />
        )}
      </HStack>
    </li>
  )
}
