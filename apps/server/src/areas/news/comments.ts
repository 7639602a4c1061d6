import { News, NewsComment } from '@ordinator/model/areas/news/news'
import type { Row } from '@ordinator/model/entity'
import { wordsOfHtml } from '@ordinator/model/mentions'
import { commentThread } from '#records/commentThread.ts'
import { records, type WriteContext } from '#records/define.ts'
import { notifyOfNews } from './notices.ts'
import { newsCommentScope } from './scope.ts'

/** Comments of a news item: by all who see it; deleted by the author or editors of news. */
export const newsComments = records(NewsComment, {
  scope: newsCommentScope,
  hooks: commentThread(NewsComment, {
    subject: ['idNews'],
    foreign: 'Ответить можно на комментарий этой же новости',
    notifyMentioned: (context, comment, to) => notifyAbout(context, comment, 'mention', 'Вас упомянули в новости', to),
    async notifyOthers(context, comment, { spoke, notified }) {
      const { idUser } = await newsOf(context, comment)
      const to = new Set([idUser, ...spoke].filter((id) => id !== context.actor.id && !notified.includes(id)))
      await notifyAbout(context, comment, 'comment', 'Комментарий к новости', [...to])
    },
  }),
})

const newsOf = ({ records }: WriteContext, { idNews }: Pick<Row<typeof NewsComment>, 'idNews'>) =>
  records.asSystem.row(News, idNews)

async function notifyAbout(
  context: WriteContext,
  comment: Row<typeof NewsComment>,
  event: string,
  title: string,
  to: readonly number[],
): Promise<number[]> {
  return notifyOfNews(context, await newsOf(context, comment), { event, title, text: wordsOfHtml(comment.message), to })
}
