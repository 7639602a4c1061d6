import { News, NewsComment } from '@ordinator/model/areas/news/news'
import type { Row } from '@ordinator/model/entity'
import { wordsOfHtml } from '@ordinator/model/mentions'
import { commentThread } from '#records/commentThread.ts'
import { records, type WriteContext } from '#records/define.ts'
import { tellNews } from './notices.ts'
import { newsCommentScope } from './scope.ts'

/** Comments of a news item: by all who see it; deleted by the author or editors of news. */
export const newsComments = records(NewsComment, {
  scope: newsCommentScope,
  hooks: commentThread(NewsComment, {
    subject: ['idNews'],
    foreign: 'Ответить можно на комментарий этой же новости',
    tellMentioned: (context, comment, to) => tell(context, comment, 'mention', 'Вас упомянули в новости', to),
    async tellOthers(context, comment, { spoke, told }) {
      const { idUser } = await newsOf(context, comment)
      const to = new Set([idUser, ...spoke].filter((id) => id !== context.actor.id && !told.includes(id)))
      await tell(context, comment, 'comment', 'Комментарий к новости', [...to])
    },
  }),
})

const newsOf = ({ records }: WriteContext, { idNews }: Pick<Row<typeof NewsComment>, 'idNews'>) =>
  records.asSystem.row(News, idNews)

async function tell(
  context: WriteContext,
  comment: Row<typeof NewsComment>,
  event: string,
  title: string,
  to: readonly number[],
): Promise<number[]> {
  return tellNews(context, await newsOf(context, comment), { event, title, text: wordsOfHtml(comment.message), to })
}
