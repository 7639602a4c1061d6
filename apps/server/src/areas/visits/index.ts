import { givesAgreed } from '#areas/discounts/index.ts'
import { followsOpening } from '#areas/filials/index.ts'
import { followsWork } from '#areas/staff/index.ts'
import type { Area } from '#records/area.ts'
import { addLine, addService } from './addService.ts'
import { price } from './bill.ts'
import { book, series } from './book.ts'
import { chains } from './chains.ts'
import { discounts, giveAgreed, withdrawPromise } from './changeTerms.ts'
import { day } from './day.ts'
import { demo } from './demo.ts'
import { deposit } from './deposits.ts'
import { followDeposits } from './depositsDue.ts'
import { equipment, equipmentKinds, serviceEquipment } from './equipment.ts'
import { estimate } from './estimate.ts'
import { dropFeed, feed, makeFeed, readFeed } from './feed.ts'
import { groupVisits } from './groups.ts'
import { prolong, sweepHolds, visitHolds } from './holds.ts'
import { load } from './load.ts'
import { coverByMembership } from './membership.ts'
import { move, moveGroup, nearest } from './move.ts'
import { askWhoCame } from './noShows.ts'
import { choosePayer } from './payer.ts'
import { remind, visitReminders } from './reminders.ts'
import { filialRooms } from './rooms.ts'
import { serviceSales } from './sales.ts'
import { shares } from './shares.ts'
import { copyWeek, fill, flagDoctor, flagFilial, hits, shiftPatterns, staffEvents } from './shifts.ts'
import { slots } from './slots.ts'
import { changeLine, lineDone, status } from './status.ts'
import {
  appointmentMoves,
  appointments,
  couponServices,
  coupons,
  desks,
  linePerformers,
  visitChanges,
  visitScores,
} from './visits.ts'
import { answerOffer, matches, offer, sweepOffers, waitingEntries, waitingOffers } from './waitingList.ts'
import { changeZone, followZones } from './zones.ts'

export { addAside, giveAside, refuseAside } from './aside.ts'
export { depositOf, openDeposit } from './deposits.ts'
export {
  answerOnline,
  bookOnline,
  firstOnline,
  freeOnline,
  type GridTime,
  holdOnline,
  moveOnline,
  type OnlineFirst,
  type OnlinePlace,
  onlineDays,
  onlineGrid,
  onlineNearest,
  onlineSlot,
  onlineTimes,
  prolongOnline,
} from './online.ts'

import { loadFacts, npsFacts, returnFacts, visitFacts } from './reports.ts'

export { priceOf } from './bill.ts'
export { bookMoved } from './book.ts'
export { demoPast } from './demo.ts'
export { demoEarlierVisits } from './demoPatients.ts'
export { estimateEach, type Shown } from './estimate.ts'
export { moveVisit } from './move.ts'
export { NoRoomError, USUAL_MINUTES } from './plan.ts'
export { bookedPriceSql } from './prices.ts'
export { giveRemotely } from './remote.ts'

/** Schedule, visits and the services given in them. */
export const visits: Area = {
  name: 'visits',
  title: 'Расписание и записи',
  records: [
    shiftPatterns,
    staffEvents,
    desks,
    filialRooms,
    equipmentKinds,
    equipment,
    serviceEquipment,
    appointments,
    coupons,
    couponServices,
    linePerformers,
    appointmentMoves,
    visitChanges,
    visitScores,
    groupVisits,
    visitHolds,
    visitReminders,
    waitingEntries,
    waitingOffers,
  ],
  operations: [
    day,
    feed,
    makeFeed,
    dropFeed,
    readFeed,
    load,
    slots,
    serviceSales,
    chains,
    book,
    series,
    move,
    nearest,
    moveGroup,
    status,
    estimate,
    price,
    deposit,
    discounts,
    withdrawPromise,
    addLine,
    addService,
    changeLine,
    lineDone,
    coverByMembership,
    choosePayer,
    shares,
    prolong,
    matches,
    offer,
    answerOffer,
    fill,
    copyWeek,
    hits,
    changeZone,
  ],
  reports: [visitFacts, loadFacts, returnFacts, npsFacts],
  start(app) {
    givesAgreed(giveAgreed)
    followsWork(flagDoctor)
    followsOpening(flagFilial)
    sweepHolds(app)
    sweepOffers(app)
    followZones(app)
    followDeposits(app)
    remind(app)
    askWhoCame(app)
  },
  demo,
}
