import { News, NewsComment, NewsFile, NewsImage, NewsIntake, NewsRead } from '@ordinator/model/areas/news/news'
import sql from 'sql-template-tag'
import { records } from '../../records/define.ts'
import { fileComputed } from '../files/index.ts'
import { newsCommentScope, newsFileScope, newsReadScope, newsScope } from './scope.ts'

export const newsRecords = records(News, {
  scope: newsScope,
  computed: {
    isRead: ({ row, me }) =>
      sql`exists (select 1 from news_reads d where d."idNews" = ${row}."id" and d."idUser" = ${me} and not d."deleted")`,
    readsTotalCount: ({ row }) => sql`(select count(*)::int from news_reads d where d."idNews" = ${row}."id" and not d."deleted")`,
    commentsTotalCount: ({ row }) =>
      sql`(select count(*)::int from news_comments c where c."idNews" = ${row}."id" and not c."deleted")`,
  },
})

export const newsFiles = records(NewsFile, { scope: newsFileScope, computed: fileComputed })

export const newsImages = records(NewsImage, {
  computed: { url: ({ row }) => sql`'/files/' || ${row}."idFileRegister" || '/' || ${row}."size"` },
})

export const newsReads = records(NewsRead, { scope: newsReadScope })
export const newsComments = records(NewsComment, { scope: newsCommentScope })

export const newsIntakes = records(NewsIntake, {
  computed: {
    hasSecret: ({ row }) => sql`exists (select 1 from news_intake_secrets s where s."idIntake" = ${row}."id")`,
  },
})
