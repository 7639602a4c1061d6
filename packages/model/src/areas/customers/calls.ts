import { uploadCall } from '../files/calls.ts'
import { CustomerFile } from './files.ts'

export const customerCalls = {
  uploadFile: uploadCall(CustomerFile),
}
