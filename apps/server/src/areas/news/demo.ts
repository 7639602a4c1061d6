import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  imageSizes,
  News,
  NewsComment,
  NewsFile,
  NewsImage,
  NewsIntake,
  NewsRead,
} from '@ordinator/model/areas/news/news'
import type { NewsSource } from '@ordinator/model/areas/news/source'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { keep } from '#areas/files/index.ts'
import type { Tx } from '#platform/db.ts'
import { seeded } from '#platform/seeded.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records, SystemRecords } from '#records/records.ts'
import { type DemoNews, demoNews } from './demoNews.ts'
import { drawPicture } from './demoPictures.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const SPEAKERS = ['doctor', 'operator', 'nurse']

/** A month of the demo clinic's news: own ones and from outside pages, with readers and comments. */
export async function demo(records: Records, app: AppContext, tx: Tx): Promise<void> {
  const users = await tx.query<{ id: number; login: string }>(
    sql`select "id", "login" from users where not "deleted" and not "isBlocked" order by "id"`,
  )
  const idOf = (login: string) => users.find((user) => user.login === login)?.id
  const author = idOf('manager')
  if (author === undefined) return
  const own = records.as({ ...systemActor, id: author }).asSystem
  const random = seeded(20_261_121)
  const intakes = new Map<NewsSource, number>()
  for (const [name, source, publish] of [
    ['Группа ВКонтакте', 'vk', false],
    ['Канал Telegram', 'telegram', true],
  ] as const)
    intakes.set(source, (await own.create(NewsIntake, { name, source, publish })).id)
  const reads: Read[] = []
  await app.scratch.use(async (folder) => {
    for (const [at, item] of [...demoNews].reverse().entries()) {
      const { id, since } = await makeNews(own, item, at, intakes)
      for (const hue of item.pictures ?? []) await addPicture(own, app, folder, id, hue)
      if (item.isHidden) continue
      // Older items have more readers.
      for (const user of users)
        if (random() < Math.min(0.9, 0.15 + item.ago / 10))
          reads.push({ idNews: id, idUser: user.id, dateRead: after(since, random) })
      for (const [turn, message] of (item.comments ?? []).entries()) {
        const idUser = idOf(SPEAKERS[turn % SPEAKERS.length] as string)
        if (idUser === undefined) continue
        const dateCreate = new Date(Math.min(Date.now(), since + (turn + 1) * HOUR)).toISOString()
        await own.create(NewsComment, { idNews: id, message: `<p>${message}</p>`, idUser, dateCreate })
      }
    }
    await own.createMany(NewsRead, reads)
  })
}

async function makeNews(own: SystemRecords, item: DemoNews, at: number, intakes: ReadonlyMap<NewsSource, number>) {
  const { ago, title, text, source = 'site', isPinned = false, isHidden } = item
  const since = Date.now() - ago * DAY
  const idIntake = intakes.get(source)
  const dateCreate = new Date(since).toISOString()
  const { id } = await own.create(News, {
    title,
    text,
    source,
    isPinned,
    dateCreate,
    ...(isHidden ? {} : { active: true, dateActive: dateCreate }),
    ...(source === 'site' ? {} : { idExternal: `demo-${at + 1}` }),
    ...(idIntake ? { idIntake } : {}),
  })
  return { id, since }
}

async function addPicture(own: SystemRecords, app: AppContext, folder: string, idNews: number, hue: number) {
  const path = join(folder, 'picture')
  await drawPicture(path, hue)
  const { size: bytes } = await stat(path)
  const file = (await keep(NewsFile, app, own, { path, size: bytes, name: 'Фото.jpg' })) as unknown as {
    id: number
    key: string
  }
  for (const size of Object.keys(imageSizes) as (keyof typeof imageSizes)[])
    await own.create(NewsImage, { idNews, idFileRegister: file.id, key: file.key, size })
}

type Read = Pick<Row<typeof NewsRead>, 'idNews' | 'idUser' | 'dateRead'>

/** Within two days of publication, and not in the future. */
const after = (since: number, random: () => number): string =>
  new Date(Math.min(Date.now(), since + random() * 2 * DAY)).toISOString()
