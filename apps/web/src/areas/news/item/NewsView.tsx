import { ActionIcon, Badge, Button, Menu } from '@mantine/core'
import { News, NewsComment } from '@ordinator/model/areas/news/news'
import {
  IconDots,
  IconEye,
  IconEyeOff,
  IconLink,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconTrash,
} from '@tabler/icons-react'
import { useMemo } from 'react'
import { formatDateTime } from '../../../kit/clock.ts'
import { notify } from '../../../kit/notify.tsx'
import { personName } from '../../../kit/UserAvatar.tsx'
import { useCan } from '../../../records/Can.tsx'
import { CommentThread } from '../../../records/comments/CommentThread.tsx'
import type { Discussion } from '../../../records/comments/discussion.ts'
import { RichText } from '../../../records/RichText.tsx'
import { useRemove, useSave } from '../../../records/writes.ts'
import { useMentionable } from '../../staff/index.ts'
import { dateOf, picturesOf } from '../newsRow.ts'
import { SourceMark } from '../SourceMark.tsx'
import { Gallery } from './Gallery.tsx'
import classes from './NewsView.module.css'
import { Readers } from './Readers.tsx'
import { Section } from './Section.tsx'
import type { OpenNews } from './useOpenNews.ts'
import { useReadMark } from './useReadMark.ts'

interface Props {
  news: OpenNews
  /** The page's own heading already says the title. */
  untitled?: boolean
  onEdit: () => void
  onRemoved: () => void
}

/** A news item as it is read: the text, the pictures, who has read it, what is said of it. */
export function NewsView({ news, untitled, onEdit, onRemoved }: Props) {
  const mayEdit = useCan('update', News, news)
  useReadMark(news)
  return (
    <article className={classes.news}>
      <div className={classes.top}>
        <div className={classes.facts}>
          <SourceMark source={news.source} />
          <time dateTime={dateOf(news)}>{formatDateTime(dateOf(news))}</time>
          {news.user && <span>{personName(news.user)}</span>}
          {news.isPinned && <Badge leftSection={<IconPin size={12} />}>Закреплена</Badge>}
          {!news.active && <Badge color="gray">Неактивна</Badge>}
        </div>
        {mayEdit && <Actions news={news} onEdit={onEdit} onRemoved={onRemoved} />}
      </div>
      {!untitled && <h2 className={classes.title}>{news.title}</h2>}
      <Gallery pictures={picturesOf(news.images)} />
      {news.text && <RichText html={news.text} />}
      {mayEdit && news.active && <Readers news={news} />}
      <Section title="Комментарии">
        <CommentThread discussion={useNewsDiscussion(news)} />
      </Section>
    </article>
  )
}

function Actions({ news, onEdit, onRemoved }: Pick<Props, 'onEdit' | 'onRemoved'> & { news: OpenNews }) {
  const save = useSave(News)
  const remove = useRemove(News, { message: 'Новость удалена' })
  return (
    <div className={classes.actions}>
      <Button variant="default" size="compact-md" leftSection={<IconPencil size={16} />} onClick={onEdit}>
        Изменить
      </Button>
      <Menu position="bottom-end" width={232}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label="Действия с новостью">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={news.active ? <IconEyeOff size={16} /> : <IconEye size={16} />}
            onClick={() => save.mutate({ id: news.id, active: !news.active })}
          >
            {news.active ? 'Снять с публикации' : 'Опубликовать'}
          </Menu.Item>
          <Menu.Item
            leftSection={news.isPinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
            onClick={() => save.mutate({ id: news.id, isPinned: !news.isPinned })}
          >
            {news.isPinned ? 'Открепить' : 'Закрепить'}
          </Menu.Item>
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyLink(news.id)}>
            Скопировать ссылку
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} />}
            onClick={() => {
              onRemoved()
              remove.mutate(news.id)
            }}
          >
            Удалить
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** The dashboard's address opens for everybody; that of the page not. */
async function copyLink(id: number): Promise<void> {
  const link = `${location.origin}/app/?news=${id}`
  try {
    // Absent on a clinic's network without https.
    await navigator.clipboard.writeText(link)
    notify.success('Ссылка скопирована')
  } catch {
    notify.info(link, { title: 'Ссылка на новость', timeout: 10_000 })
  }
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
