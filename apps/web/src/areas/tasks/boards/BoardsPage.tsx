import { ActionIcon, Button, CloseButton, Menu, Skeleton, TextInput } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { Board, BoardMember } from '@ordinator/model/areas/tasks/board'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import {
  IconDots,
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
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { records } from '../../../base/client.ts'
import { useActor } from '../../../base/session.ts'
import { EmptyState } from '../../../kit/EmptyState.tsx'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { useHotkey } from '../../../kit/hotkeys.ts'
import { PageHead } from '../../../kit/PageHead.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import { useEndlessList, useList } from '../../../records/reads.ts'
import { useRemove } from '../../../records/writes.ts'
import { useTasksAddress } from '../address.ts'
import { refused } from '../board/boardStore.ts'
import { useJoin } from '../board/JoinBoard.tsx'
import type { BoardRow } from '../board/useBoardData.ts'
import { BoardsMenu } from '../import/BoardsMenu.tsx'
import { BoardIcon } from './BoardIcon.tsx'
import classes from './BoardsPage.module.css'
import { memberForms } from './memberForms.ts'

const BoardForm = lazy(() => import('./BoardForm.tsx'))
const page = pageByKey('tasks')
const PAGE = 60
/** The own memberships, read at once: they say what may be done with each workspace. */
const MAX_OWN = 500

/** All workspaces that the person sees: favourites first, then the own ones, then public ones to join. */
export function BoardsPage() {
  const actor = useActor()
  const [address, setAddress] = useTasksAddress()
  const [text, setText] = useState(address.q ?? '')
  const [form, setForm] = useState<BoardRow | 'new'>()
  const list = useEndlessList(Board, {
    // In the order of the groups below, so that a page never splits one.
    sort: ['-isFavourite', '-isMember', 'name'],
    limit: PAGE,
    ...(address.q && { filter: { name: { ilike: address.q } } }),
  })
  const boards = list.items as unknown as BoardRow[]
  const search = (q: string) => {
    setText(q)
    setAddress({ q: q.trim() || undefined }, { replace: true })
  }
  useHotkey('n', () => setForm('new'), { label: 'Новое пространство', group: page.title })
  const own = useList(BoardMember, { filter: { idUser: actor.id }, limit: MAX_OWN }, { forbidden: 'silent' })
  const mine = useMemo(() => new Map(own.data?.items.map((member) => [member.idBoard, member])), [own.data])
  const groups = [
    { title: 'Избранные', items: boards.filter((b) => b.isFavourite) },
    { title: 'Мои', items: boards.filter((b) => b.isMember && !b.isFavourite) },
    { title: 'Другие', items: boards.filter((b) => !b.isMember) },
  ].filter((group) => group.items.length > 0)

  const create = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setForm('new')}>
      Новое пространство
    </Button>
  )
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          <>
            <BoardsMenu />
            {create}
          </>
        }
      >
        <TextInput
          w={280}
          aria-label="Поиск пространства"
          placeholder="Найти пространство"
          leftSection={<IconSearch size={16} />}
          rightSection={text ? <CloseButton size="sm" aria-label="Очистить" onClick={() => search('')} /> : undefined}
          value={text}
          onChange={(event) => search(event.currentTarget.value)}
        />
      </PageHead>
      <div className={classes.page}>
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
              action={
                <Button variant="light" onClick={() => search('')}>
                  Очистить поиск
                </Button>
              }
            />
          ) : (
            <EmptyState
              icon={IconLayoutKanban}
              title="Пространств пока нет"
              text="Создайте первое: в нём будет доска с колонками, задачи и участники."
              action={create}
            />
          )
        ) : (
          groups.map((group) => (
            <section key={group.title} aria-label={group.title} className={classes.group}>
              <h2 className={classes.heading}>{group.title}</h2>
              <ul className={classes.grid}>
                {group.items.map((board) => (
                  <Tile key={board.id} board={board} member={mine.get(board.id)} onEdit={() => setForm(board)} />
                ))}
              </ul>
            </section>
          ))
        )}
        {list.hasNextPage && (
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Показать ещё
          </Button>
        )}
      </div>
      <Suspense>
        {form && (
          <BoardForm
            board={form === 'new' ? undefined : form}
            columns={[]}
            onClose={() => setForm(undefined)}
            onCreated={(board) => setAddress({ board: board.id, q: undefined })}
          />
        )}
      </Suspense>
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
      refused(error)
    }
    void invalidateRecords(client, Board.path)
    void invalidateRecords(client, BoardMember.path)
  }
  const outside = !board.isMember && !isMaster
  return (
    <li className={classes.tile} data-board={board.id}>
      <div className={classes.line}>
        <BoardIcon icon={board.icon} color={board.color} size={36} />
        <Link to="/tasks" search={{ board: board.id } as never} className={classes.name}>
          {board.name}
        </Link>
        <span className={classes.buttons}>
          {member && (
            <ActionIcon
              size={28}
              variant="subtle"
              color={board.isFavourite ? 'yellow' : 'gray'}
              aria-label={
                board.isFavourite ? `Убрать «${board.name}» из избранного` : `Добавить «${board.name}» в избранное`
              }
              aria-pressed={board.isFavourite}
              onClick={() => void star()}
            >
              {board.isFavourite ? <IconStarFilled size={16} /> : <IconStar size={16} />}
            </ActionIcon>
          )}
          {(isMaster || member?.canEditBoard) && (
            <Menu position="bottom-end" width={180}>
              <Menu.Target>
                <ActionIcon
                  size={28}
                  variant="subtle"
                  color="gray"
                  aria-label={`Действия с пространством «${board.name}»`}
                >
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
                  Изменить
                </Menu.Item>
                {isMaster && (
                  <Menu.Item
                    color="var(--mantine-color-error)"
                    leftSection={<IconTrash size={16} />}
                    onClick={() => remove.mutate(board.id)}
                  >
                    Удалить
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          )}
        </span>
      </div>
      <p className={classes.description}>{board.description}</p>
      <div className={classes.foot}>
        <span>{counted(board.membersCount, memberForms)}</span>
        {board.isPublic && (
          <span className={classes.public}>
            <IconWorld size={14} aria-hidden /> Публичное
          </span>
        )}
        {outside && board.isPublic && (
          <Button
            className={classes.join}
            size="compact-sm"
            variant="light"
            loading={join.isPending}
            onClick={() => join.mutate(board.id)}
          >
            Вступить
          </Button>
        )}
      </div>
    </li>
  )
}
