import { Badge, Menu, Title } from '@mantine/core'
import { News, NewsComment } from '@ordinator/model/areas/news/news'
import { IconEye, IconEyeOff, IconLink, IconPencil, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useMentionable } from '#areas/staff/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { copyLink } from '#kit/copyLink.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { useCan } from '#records/Can.tsx'
import { CommentThread } from '#records/comments/CommentThread.tsx'
import type { Discussion } from '#records/comments/discussion.ts'
import { RichText } from '#records/RichText.tsx'
import { useRemove, useSave } from '#records/writes.ts'
import { dateOf, picturesOf } from '../newsRow.ts'
import { SourceMark } from '../SourceMark.tsx'
import { Gallery } from './Gallery.tsx'
import { Readers } from './Readers.tsx'
import { Section } from './Section.tsx'
import type { OpenNews } from './useOpenNews.ts'
import { useReadMark } from './useReadMark.ts'

interface Props {
  news: OpenNews
  /** The page's heading already has the title. */
  untitled?: boolean
  onEdit: () => void
  onRemoved: () => void
}

/** A news item: text, pictures, readers, comments. */
export function NewsView({ news, untitled, onEdit, onRemoved }: Props) {
  const mayEdit = useCan('update', News, news)
  const maySpeak = useCan('view', NewsComment)
  useReadMark(news)
  return (
    <VStack component="article" gap={16} miw={0}>
      <HStack gap="8px 16px" align="flex-start" justify="space-between" wrap>
        <HStack gap="4px 12px" wrap c="dimmed" fz={12} mih={32}>
          <SourceMark source={news.source} />
          <time dateTime={dateOf(news)}>{formatDateTime(dateOf(news))}</time>
          {news.user && <UserLink user={news.user} />}
          {news.isPinned && <Badge leftSection={<IconPin size={12} />}>Закреплена</Badge>}
          {!news.active && <Badge color="gray">Неактивна</Badge>}
        </HStack>
        {mayEdit && <Actions news={news} onEdit={onEdit} onRemoved={onRemoved} />}
      </HStack>
      {!untitled && (
        <Title order={2} size="h1" className="breaks">
          {news.title}
        </Title>
      )}
      <Gallery pictures={picturesOf(news.images)} />
      {news.text && <RichText html={news.text} />}
      {mayEdit && news.active && <Readers news={news} />}
      {maySpeak && <Comments news={news} />}
    </VStack>
  )
}

function Comments({ news }: Pick<Props, 'news'>) {
  return (
    <Section title="Комментарии">
      <CommentThread discussion={useNewsDiscussion(news)} />
    </Section>
  )
}

function Actions({ news, onEdit, onRemoved }: Pick<Props, 'onEdit' | 'onRemoved'> & { news: OpenNews }) {
  const save = useSave(News)
  const remove = useRemove(News, { message: 'Новость удалена' })
  return (
    <HStack gap={4} flex="none">
      {!news.active && (
        <ActionButton
          label="Опубликовать"
          size="compact-md"
          icon={IconEye}
          loading={save.isPending}
          onClick={() => save.mutate({ id: news.id, active: true })}
        />
      )}
      <ActionButton label="Изменить" variant="default" size="compact-md" icon={IconPencil} onClick={onEdit} />
      <ActionMenu label="Действия с новостью" width={232}>
        {news.active && (
          <MenuItem
            label="Снять с публикации"
            icon={IconEyeOff}
            onClick={() => save.mutate({ id: news.id, active: false })}
          />
        )}
        <MenuItem
          label={news.isPinned ? 'Открепить' : 'Закрепить'}
          icon={news.isPinned ? IconPinnedOff : IconPin}
          onClick={() => save.mutate({ id: news.id, isPinned: !news.isPinned })}
        />
        {/* The dashboard's URL works for everybody, that of the page does not. */}
        <MenuItem
          label="Скопировать ссылку"
          icon={IconLink}
          onClick={() => void copyLink(`/?news=${news.id}`, 'Ссылка на новость')}
        />
        <Menu.Divider />
        <MenuItem
          label="Удалить"
          danger
          icon={IconTrash}
          onClick={() => {
            onRemoved()
            remove.mutate(news.id)
          }}
        />
      </ActionMenu>
    </HStack>
  )
}

function useNewsDiscussion({ id }: { id: number }): Discussion {
  const people = useMentionable()
  const mayRemove = useCan('update', News)
  return useMemo(
    () => ({
      entity: NewsComment,
      subject: { idNews: id },
      key: `news:${id}`,
      people,
      replies: true,
      mayRemove,
    }),
    [id, people, mayRemove],
  )
}
