import { registerSemdSource } from '#areas/egisz/index.ts'
import type { Area } from '#records/area.ts'
import { demo, ready } from './demo.ts'
import { startDevices } from './deviceLines.ts'
import { lamps, log, reread, resend, settleAddress, settleStray } from './devices.ts'
import { takeNsi } from './dictionaries.ts'
import { offerCatalogue } from './importCatalogue.ts'
import { issue } from './issue.ts'
import { cancel, confirm, place, quote } from './orders.ts'
import { act, labels, paper, zpl } from './papers.ts'
import { partnerPaper, partnerPrice, startPartners, takePrice } from './partner.ts'
import { chart, controlStates, labControlRuns } from './quality.ts'
import { criticals, figures, history, lines, matrix, now, ofCustomer } from './reads.ts'
import {
  labAnalytes,
  labComponents,
  labContainers,
  labControls,
  labDeviceCodes,
  labDevices,
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
import { laboratoryReports } from './reports.ts'
import { back, choose, correct, critical, enter, medical, repeat, technical } from './results.ts'
import { scan, ship, waiting } from './samples.ts'
import { laboratorySource } from './semdSource.ts'

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
    labStrays,
    labControls,
    labControlRuns,
  ],
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
    partnerPaper,
    partnerPrice,
    takePrice,
    takeNsi,
    chart,
    controlStates,
    figures,
    now,
  ],
  reports: laboratoryReports,
  start(app) {
    startDevices(app)
    startPartners(app)
    offerCatalogue(app)
    registerSemdSource(app, laboratorySource)
  },
  ready,
  demo,
}
