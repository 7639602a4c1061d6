import { type ChannelKind, channelKinds } from '@ordinator/model/areas/chats/chatSettings'
import sql from 'sql-template-tag'
import type { Adapter } from '#platform/adapter.ts'
import type { AppContext } from '#records/context.ts'
import { reach } from './intake.ts'

/** Maximum number of channels of one messenger per check. */
const MOST_CHANNELS = 10

interface Channel {
  id: number
  kind: ChannelKind
  key: string
}

/** The messengers as cards of «Интеграции»: one each, for any number of bots. */
export async function channelCards(app: AppContext): Promise<Adapter[]> {
  const channels = await app.db.query<Channel>(sql`
    select c."id"::int as id, c."kind", c."key" from live_assist_channels c
    where c."active" and not c."deleted" and exists (select from live_assist_channel_secrets s where s."idChannel" = c."id")
    order by c."id"`)
  return (Object.keys(channelKinds) as ChannelKind[]).map((kind) => {
    const own = channels.filter((channel) => channel.kind === kind)
    return {
      key: kind,
      code: kind,
      name: channelKinds[kind],
      mode: own.length > 0 ? 'prod' : 'off',
      setIn: 'Настройки → Каналы чата',
      page: 'chatChannels',
      async check() {
        await Promise.all(own.slice(0, MOST_CHANNELS).map((channel) => reach(app, channel)))
      },
    }
  })
}
