import { registerSemdSource } from '#areas/egisz/index.ts'
import type { Area } from '#records/area.ts'
import { demo, ready } from './demo.ts'
import { startDevices } from './deviceLines.ts'
import { lamps, log, reread, resend, settleAddress } from './devices.ts'
import { takeNsi } from './dictionaries.ts'
import { offerCatalogue } from './importCatalogue.ts'
import { issue } from './issue.ts'
import { matrix } from './matrix.ts'
import { cancel, confirm, place, quote } from './orders.ts'
import { act, labels, paper, zpl } from './papers.ts'
import { partnerCards, partnerPaper, startPartners } from './partner.ts'
import { partnerPrice, takePrice } from './partnerPrice.ts'
import { chart, controlStates, labControlRuns } from './quality.ts'
import { criticals, figures, history, lines, now, ofCustomer, reviews } from './reads.ts'
import {
  labAnalytes,
  labComponents,
  labContainers,
  labControls,
  labDeviceCodes,
  labDevices,
  labDeviceWords,
  labNorms,
  labOrderItems,
  labOrders,
  laboratories,
  labResults,
  labSampleSteps,
  labSamples,
  labShipments,
  labStrays,
  labTests,
  labUnits,
} from './records.ts'
import { rejudgeDue } from './rejudge.ts'
import { laboratoryReports } from './reports.ts'
import { back, choose, correct, critical, enter, medical, repeat, review, technical } from './results.ts'
import { scan, ship, waiting } from './samples.ts'
import { laboratorySource } from './semdSource.ts'
import { mean, settleStray } from './strayCalls.ts'

export { orderPaper } from './papers.ts'

/** Orders of tests, tubes, values and their approval, analysers, partner laboratories, controls. */
export const laboratory: Area = {
  name: 'laboratory',
  title: 'Лаборатория',
  records: [
    laboratories,
    labContainers,
    labUnits,
    labAnalytes,
    labNorms,
    labTests,
    labComponents,
    labOrders,
    labOrderItems,
    labSamples,
    labSampleSteps,
    labShipments,
    labResults,
    labDevices,
    labDeviceCodes,
    labDeviceWords,
    labStrays,
    labControls,
    labControlRuns,
  ],
  counts: [figures],
  operations: [
    quote,
    place,
    confirm,
    cancel,
    issue,
    paper,
    labels,
    zpl,
    scan,
    waiting,
    ship,
    act,
    matrix,
    enter,
    technical,
    medical,
    back,
    repeat,
    choose,
    correct,
    critical,
    reviews,
    review,
    criticals,
    history,
    ofCustomer,
    lines,
    lamps,
    log,
    reread,
    resend,
    settleAddress,
    settleStray,
    mean,
    partnerPaper,
    partnerPrice,
    takePrice,
    takeNsi,
    chart,
    controlStates,
    now,
  ],
  reports: laboratoryReports,
  adapters: partnerCards,
  start(app) {
    startDevices(app)
    startPartners(app)
    app.jobs.register('laboratory.rejudge', { cron: '*/5 * * * *', handler: () => rejudgeDue(app) })
    offerCatalogue(app)
    registerSemdSource(app, laboratorySource)
  },
  ready,
  demo,
}
