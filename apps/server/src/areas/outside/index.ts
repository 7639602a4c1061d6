import { BookingChannel } from '@ordinator/model/areas/outside/channel'
import { counted } from '@ordinator/model/format'
import { offerImporter } from '#areas/imports/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import { RemoteFault } from '#platform/remote.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'
import { outsideOperations } from './calls.ts'
import { allKeyed, type Channel } from './channels.ts'
import { demo } from './demo.ts'
import { reviewsImporter } from './importReviews.ts'
import { inviteOperations, startInvites } from './invites.ts'
import { receive, startPulling } from './napopravku.ts'
import { offeredBy } from './offered.ts'
import { sellersAdapter, startPushing, wireOf } from './pushing.ts'
import { bookingRecords, channelRecords, inviteRecords, matchRecords } from './records.ts'
import { reviewFacts, reviewRecords } from './reviews.ts'
import { order } from './yandex.ts'

export { codeOf, invitesOf, noteFriend } from './invites.ts'
export { noteAnswer, routesOf, writeToHead } from './reviews.ts'
export { confirmClick, sellerOfClick } from './yandex.ts'

/** A card for each channel that the clinic sends something to. */
async function adapters(app: AppContext): Promise<Adapter[]> {
  return (await allKeyed(app.db)).map((channel) => ({
    key: `seller-${channel.id}`,
    code: 'sellers',
    about: { path: BookingChannel.path, id: channel.id },
    name: channel.name,
    mode: channel.isOn ? 'prod' : 'off',
    page: 'bookingChannels',
    setIn: 'Площадки записи',
    check: () => checked(app, channel),
  }))
}

/** Nothing is changed at the seller: НаПоправку can be asked, the key of others is tried by the next push. */
async function checked(app: AppContext, channel: Channel): Promise<string> {
  const { doctors } = await offeredBy(app.db.reads, channel)
  if (doctors.length === 0) throw new AdapterFault('Показывать некого: откройте врачей и услуги для записи на сайте')
  const summary = `Показываем: ${counted(doctors.length, ['врача', 'врачей', 'врачей'])}`
  if (channel.kind !== 'napopravku') return summary
  const wire = await wireOf(app, channel)
  const answer = await wire?.quietly({ path: '/clinics?per_page=1' }).catch((error: unknown) => {
    throw error instanceof RemoteFault ? new AdapterFault(error.message) : error
  })
  if (answer && answer.status >= 300) throw new AdapterFault(`Площадка не отвечает на вопросы: ответ ${answer.status}`)
  return summary
}

/** Bookings through sellers outside the clinic: aggregators, maps, partners. */
export const outside: Area = {
  name: 'outside',
  title: 'Запись с площадок',
  records: [channelRecords, bookingRecords, matchRecords, ...inviteRecords, ...reviewRecords],
  operations: [...outsideOperations, ...inviteOperations],
  reports: [reviewFacts],
  adapters,
  start(app) {
    app.outbox.register(
      sellersAdapter(app, {
        receive: (channel, payload) => receive(app, channel, payload),
        order: (channel, payload) => order(app, channel, payload),
      }),
    )
    startPushing(app)
    startPulling(app)
    startInvites(app)
    offerImporter(app, reviewsImporter)
  },
  demo,
}
