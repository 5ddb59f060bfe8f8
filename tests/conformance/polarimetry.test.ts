import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readDx } from '@radx/formats/dx/dx'
import { dataset, hdf5Ready, readNumbers, withHdf5 } from '@radx/formats/hdf5/file'
import { constrained, harrison, hitschfeldBordan } from '@radx/polarimetry/gate-by-gate'
import { describe, expect, test } from 'vitest'
import { main } from '../../apps/server/src/cli/main.ts'
import { hasReferenceData, REFERENCE_DATA, referenceFiles } from './reference-data.ts'

const FOLDER = 'radar-science/polarimetric'

describe.skipIf(!hasReferenceData())('polarimetry against wradlib', () => {
  const reference = () =>
    JSON.parse(readFileSync(join(REFERENCE_DATA, 'radar-science/polarimetric-reference.json'), 'utf8'))
  const within = (found: number, expected: number, share: number): void =>
    expect(Math.abs(found / expected - 1), `${found} for ${expected}`).toBeLessThan(share)

  async function steps(files: string[], args: string[] = []) {
    const out = mkdtempSync(join(tmpdir(), 'radx-volume-'))
    expect(await main(['volume', ...files, '--out', out, ...args])).toBe(0)
    return { out, report: JSON.parse(readFileSync(join(out, 'steps.json'), 'utf8')) }
  }

  test('BoXPol: KDP within 1 %, ZPHI phase and attenuation within 0.5 %, stages as netCDF', async () => {
    const { out, report } = await steps(referenceFiles(`${FOLDER}/boxpol`, /mvol$/), ['--steps'])
    const { vulpiani, zphi, system_phidp_plain } = reference().boxpol_20140810_1820
    const { kdp, phase, zphi_fixed, zphi_self } = report.sweeps[0].stages
    expect(phase.system_phidp_deg).toBeCloseTo(system_phidp_plain.value, 3)
    expect(kdp.kdp_where_dbz20.valid).toBe(vulpiani.kdp_where_dbz20.valid)
    within(kdp.kdp_where_dbz20.mean, vulpiani.kdp_where_dbz20.mean, 0.01)
    within(kdp.kdp_where_dbz40.mean, vulpiani.kdp_where_dbz40.mean, 0.01)
    within(phase.phidp_last_gate.max, vulpiani.phidp_last_gate.max, 0.001)
    for (const key of ['delta_phidp', 'pia_end']) {
      within(zphi_fixed[key].max, zphi[key].max, 0.005)
      within(zphi_fixed[key].mean, zphi[key].mean, 0.005)
    }
    expect(zphi_fixed.ah.valid).toBe(zphi.ah.valid)
    within(zphi_fixed.ah.mean, zphi.ah.mean, 0.005)
    expect(zphi_self.rays_found).toBeGreaterThan(100)
    expect(zphi_self.alpha.min).toBeGreaterThan(0.1)
    expect(kdp.kdp_in_file.noise).toBe(true)
    expect(kdp.kdp_in_file.correlation).toBeCloseTo(0.169711, 2)
    expect(report.notes.join('\n')).toMatch(/bande X (.|\n)*KDP du fichier : du bruit/)
    await hdf5Ready()
    const pia = withHdf5('odim', readFileSync(join(out, 'sweep_01_zphi_fixed.nc')), (root) =>
      readNumbers('odim', dataset(root, 'PIA')!),
    )
    expect(pia.length).toBe(360_000)
    expect(Math.max(...Array.from({ length: 360 }, (_, ray) => pia[ray * 1000 + 999]))).toBeCloseTo(
      zphi_fixed.pia_end.max,
      4,
    )
  })

  test('MALS: five files of one volume; ZDR is calibrated by light rain, the original kept', async () => {
    const { report } = await steps(referenceFiles(`${FOLDER}/mals`, /(dBZ|ZDR|PhiDP|RhoHV|KDP)\.vol$/))
    const { vulpiani, zphi } = reference()['mals_20191021_0824_el1.3']
    const { kdp, moments, zdr, zphi_fixed } = report.sweeps[1].stages
    expect(kdp.kdp_where_dbz20.valid).toBe(vulpiani.kdp_where_dbz20.valid)
    within(kdp.kdp_where_dbz20.mean, vulpiani.kdp_where_dbz20.mean, 0.01)
    for (const key of ['delta_phidp', 'pia_end']) within(zphi_fixed[key].max, zphi[key].max, 0.005)
    expect(zphi_fixed.ah.valid).toBe(zphi.ah.valid)
    within(zphi_fixed.ah.mean, zphi.ah.mean, 0.005)
    expect(kdp.kdp_in_file.noise).toBe(false)
    expect(report.notes.join('\n')).toMatch(/ZDR non étalonnée/)
    expect(moments.ZDR.mean).toBeCloseTo(-0.47177, 4)
    expect(zdr.bias_db).toBeLessThan(-0.5)
    expect(zdr.ZDR.mean).toBeCloseTo(moments.ZDR.mean - zdr.bias_db, 4)
  })

  test('Monte Lema: C band by its wavelength', async () => {
    const { report } = await steps(referenceFiles(`${FOLDER}/monte-lema`, /MLL.*nc$/))
    expect(report.coefficients).toMatchObject({ name: 'C', alpha: 0.08, b: 0.8 })
    expect(report.sweeps[0].stages.zphi_fixed.alpha).toBe(0.08)
  })

  test('DX Feldberg: attenuation of rays 53 to 55 within 0.1 dB by each method', () => {
    const { dbz, nbins } = readDx(gunzipSync(readFileSync(referenceFiles(`${FOLDER}/dx-feldberg`, /gz$/)[0])))
    const { pia, dbz_row53 } = reference().dx_feldberg_200806021655
    expect([...dbz.slice(53 * nbins + 60, 53 * nbins + 70)]).toEqual(dbz_row53)
    const limits = { aMax: 1.67e-4, aMin: 2.33e-5, aSteps: 100, bMax: 0.7, bMin: 0.65, bSteps: 6 }
    const law = { ...limits, gateKm: 1, maxDbz: 59 }
    const found: Record<string, Float64Array> = {
      hitschfeld_bordan: hitschfeldBordan(dbz, nbins, { a: 8e-5, b: 0.731, gateKm: 1 }),
      harrison: harrison(dbz, nbins, { a: 4.57e-5, b: 0.731, gateKm: 1 }),
      kraemer: constrained(dbz, nbins, law),
      modified_kraemer_jacobi: constrained(dbz, nbins, { ...law, maxPia: 20 }),
    }
    for (const [method, values] of Object.entries(found))
      for (const ray of [53, 54, 55]) {
        const expected = pia[method].pia_last_gate[ray]
        const last = values[ray * nbins + nbins - 1]
        if (expected === null) expect(last, method).toBeNaN()
        else expect(Math.abs(last - expected), `${method} ${ray}`).toBeLessThan(0.1)
      }
  })
})
