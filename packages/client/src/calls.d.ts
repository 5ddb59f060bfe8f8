// Made from the server's own description of its calls (/api/openapi.json); packages/client/README.md says how.

/** Every call by method and path: what it takes and what it answers. */
export interface Calls {
  /** Retire un navigateur abonné */
  "DELETE /api/alerts/push/{id}": {
    path: {
      id: string
    }
    answer: {
      email: string | null
      confirmed: boolean
      quiet: {
        from: string
        to: string
      } | null
      shared: boolean
      hasMail: boolean
      pushKey: string
      devices: {
        id: string
        label: string
        created: string
      }[]
      webhooks: {
        id: string
        name: string
      }[]
    }
  }
  /** Supprime une règle, ses alertes et leur journal */
  "DELETE /api/alerts/rules/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime un webhook */
  "DELETE /api/alerts/webhooks/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime un bassin en construction et ses fichiers */
  "DELETE /api/builder/drafts/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime un fichier de sources */
  "DELETE /api/builder/drafts/{id}/files/{name}": {
    path: {
      id: string
      name: string
    }
    answer: null
  }
  /** Supprime un calage et ses essais ; les simulations gardent leurs valeurs */
  "DELETE /api/calibrations/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime un bassin versant ; les simulations qui y ont été faites restent */
  "DELETE /api/catchment-packages/{catchmentId}": {
    path: {
      catchmentId: string
    }
    answer: null
  }
  /** Lève un marquage ; il reste dans l’historique */
  "DELETE /api/gauges/flags/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime un de ses pluviomètres avec ses mesures */
  "DELETE /api/gauges/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime un calcul terminé, avec ses résultats, son journal et ses notes */
  "DELETE /api/job/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime un de ses liens courts */
  "DELETE /api/links/{name}": {
    path: {
      name: string
    }
    answer: {
      removed: boolean
    }
  }
  /** Supprime une batterie terminée ou annulée, avec ses simulations */
  "DELETE /api/multihydro/batteries/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime une carte d’occupation des sols dont aucune simulation ne se sert */
  "DELETE /api/multihydro/file/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime une pluie d’images radar à soi ; les simulations terminées gardent leurs résultats */
  "DELETE /api/multihydro/rains/{rainId}": {
    path: {
      rainId: string
    }
    answer: null
  }
  /** Supprime un réseau avec ses versions, ses calculs et leurs résultats */
  "DELETE /api/networks/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime une série de mesures */
  "DELETE /api/observations/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime un produit retraité ; les volumes d’origine restent */
  "DELETE /api/reprocessing/{name}": {
    path: {
      name: string
    }
    answer: null
  }
  /** Supprime un de ses tableaux */
  "DELETE /api/storms/tables/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Supprime un évènement enregistré */
  "DELETE /api/users/events/{id}": {
    path: {
      id: string
    }
    answer: null
  }
  /** Ferme les autres sessions de son compte */
  "DELETE /api/users/sessions": {
    answer: {
      ended: number
    }
  }
  /** Ferme une session de son compte */
  "DELETE /api/users/sessions/{id}": {
    path: {
      id: string
    }
    answer: {
      ended: number
    }
  }
  /** Révoque un jeton d'accès de son compte, tout de suite */
  "DELETE /api/users/tokens/{id}": {
    path: {
      id: string
    }
    answer: {
      revoked: boolean
    }
  }
  /** Comptes, leurs droits et ce qu’ils gardent */
  "GET /api/admin/accounts": {
    answer: {
      accounts: {
        id: string
        name: string
        roles: string[]
        restriction: {
          start: string | null
          end: string | null
        }
        shapefiles: string[]
        disabled: boolean
        demo: boolean
        invited: boolean
        secondFactor: boolean
        createdAt: string
        lastUsedAt: string | null
        use: {
          runs: number
          exports: number
          events: number
          landUses: number
          gauges: number
          tables: number
          networks: number
          catchments: number
          bytes: number
        }
        version: number
      }[]
      layers: string[]
      quotas: {
        runs: number
        exports: number
        events: number
        landUses: number
        gauges: number
        tables: number
        networks: number
        catchments: number
        bytes: number
      }
    }
  }
  /** Message d'accueil, publié ou non */
  "GET /api/admin/article/home-message": {
    answer: {
      main: string
      isPublished: boolean
    }[]
  }
  /** Journal d’audit, les lignes les plus récentes d’abord */
  "GET /api/admin/audit": {
    query?: {
      since?: string
      before?: number
      actor?: string
      action?: "login" | "login.failed" | "login.refused" | "logout" | "session.end" | "password.change" | "password.reset" | "password.link" | "factor.add" | "factor.remove" | "factor.codes" | "token.create" | "token.revoke" | "account.create" | "account.edit" | "account.disable" | "account.enable" | "account.erase" | "account.export" | "setting.change" | "data.exact" | "data.export" | "data.change" | "run.submit" | "run.cancel" | "run.retry" | "run.delete" | "item.write" | "item.delete" | "audit.read" | "audit.prune"
      limit?: number
    }
    answer: {
      events: {
        n: number
        at: string
        actor: string | null
        address: string | null
        via: "page" | "command" | "server"
        action: string
        subject: string | null
        details: Record<string, string>
      }[]
      next: number | null
    }
  }
  /** Recalcule la chaîne du journal d’audit */
  "GET /api/admin/audit/chain": {
    answer: {
      sound: boolean
      lines: number
      removed: number
      head: {
        n: number
        hash: string
      } | null
      broken: {
        n: number
        reason: "anchor" | "missing" | "changed" | "head"
      } | null
    }
  }
  /** État de l’acquisition */
  "GET /api/admin/ingest": {
    answer: {
      at: string
      days: number
      sources: {
        kind: string
        product: string | null
        name: string
        receivedAt: string
        newestAt: string | null
        files: number
      }[]
      products: {
        product: string
        frameSeconds: number
        latencySeconds: number | null
        firstFrame: string | null
        missingSeconds: number
        gaps: {
          start: string
          end: string
        }[]
      }[]
      rejected: {
        name: string
        bytes: number
        at: string
        reason: string | null
      }[]
      rejectedCount: number
    }
  }
  /** Fichier refusé, tel qu’il est arrivé */
  "GET /api/admin/ingest/rejected/{name}": {
    path: {
      name: string
    }
    answer: unknown
  }
  /** Files de calcul */
  "GET /api/admin/jobs": {
    answer: {
      waiting: number
      running: number
      failed: number
      done: number
      jobs: {
        id: string
        kind: string
        username: string
        title: string | null
        status: "pending" | "running" | "done" | "error"
        cancelled: boolean
        progress: number
        message: string
        error: string | null
        attempts: number
        createdAt: string
        startedAt: string | null
        finishedAt: string | null
      }[]
    }
  }
  /** Envoi des avis d’alerte */
  "GET /api/admin/notices": {
    answer: {
      now: string
      hasMail: boolean
      channels: {
        channel: "email" | "push" | "webhook"
        waiting: number
        retried: number
        held: number
        sent: number
        failed: number
        oldest: string | null
        lastSent: string | null
        lastError: string | null
        lastErrorAt: string | null
      }[]
    }
  }
  /** Stockage, relecture, base et version */
  "GET /api/admin/storage": {
    answer: {
      version: string
      postgres: string
      databaseBytes: number
      tables: {
        name: string
        bytes: number
      }[]
      originals: {
        files: number
        bytes: number
      }
      frames: number
      resultBytes: number
      disk: {
        freeBytes: number
        totalBytes: number
      } | null
      verification: {
        at: string
        checked: number
        bytes: number
        sealed: number
        repaired: number
        damaged: number
      } | null
    }
  }
  /** Bassins dont l’inondation est prévue, et où en est le calcul */
  "GET /api/ahead": {
    answer: {
      now: string
      catchments: {
        id: string
        display: string
        enabled: boolean
        newest: {
          issued: string
          status: "state" | "members" | "gather" | "done" | "failed" | "skipped"
          reason: string | null
          dry: boolean
          finished: string | null
          delayS: number | null
          skipped: number
          missingShare: number | null
        } | null
        current: {
          issued: string
          status: "state" | "members" | "gather" | "done" | "failed" | "skipped"
          reason: string | null
          dry: boolean
          finished: string | null
          delayS: number | null
          skipped: number
          missingShare: number | null
        } | null
        failed: {
          issued: string
          status: "state" | "members" | "gather" | "done" | "failed" | "skipped"
          reason: string | null
          dry: boolean
          finished: string | null
          delayS: number | null
          skipped: number
          missingShare: number | null
        } | null
        wait: ("starting" | "first-frame" | "no-frame" | "no-nowcast" | "computing") | null
        newestFrame: string | null
      }[]
    }
  }
  /** Probabilité de dépasser une hauteur d’eau, en % entiers par instant et maille, 255 hors du modèle */
  "GET /api/ahead/{catchmentId}/chances": {
    path: {
      catchmentId: string
    }
    query: {
      issued?: string
      above: number
    }
    answer: unknown
  }
  /** Une prévision : pluie, ce qui est à surveiller, réseau */
  "GET /api/ahead/{catchmentId}/cycle": {
    path: {
      catchmentId: string
    }
    query?: {
      issued?: string
    }
    answer: {
      issued: string
      status: "state" | "members" | "gather" | "done" | "failed" | "skipped"
      reason: string | null
      dry: boolean
      finished: string | null
      delayS: number | null
      skipped: number
      missingShare: number | null
      catchment: {
        id: string
        display: string
      }
      place: {
        nrows: number
        ncols: number
        cellSizeM: number
        crs: string
        xll: number
        yll: number
        corners: {
          sw: number[]
          se: number[]
          ne: number[]
          nw: number[]
        }
      }
      members: number
      alike: boolean
      times: string[]
      rainUntil: string | null
      unknownShare: number[]
      rainMmH: {
        value: number
        p10: number
        p50: number
        p90: number
      }[]
      method: ("raw" | "moved") | null
      watch: {
        kind: "street" | "link" | "node"
        name: string
        cell: number
        lat: number
        lng: number
        cells: number
        depthMm: number
        ground: string | null
        near: string | null
        percent: number
        fromMin: number
        gravity: number
      }[]
      counts: {
        kind: "street" | "link" | "node"
        certain: number
        likely: number
        possible: number
      }[]
      links: {
        name: string
        percent: number[]
      }[]
      nodes: {
        name: string
        percent: number[]
      }[]
      worst: {
        depthMm: number
        cells: number
        percent: number
      }[]
    }
  }
  /** Prévisions gardées, la plus récente d’abord */
  "GET /api/ahead/{catchmentId}/cycles": {
    path: {
      catchmentId: string
    }
    answer: {
      cycles: {
        issued: string
        status: "state" | "members" | "gather" | "done" | "failed" | "skipped"
        reason: string | null
        dry: boolean
        finished: string | null
        delayS: number | null
        skipped: number
        missingShare: number | null
      }[]
    }
  }
  /** Éventail des membres en une maille, un nœud ou une conduite */
  "GET /api/ahead/{catchmentId}/fan": {
    path: {
      catchmentId: string
    }
    query: {
      issued?: string
      kind: "cell" | "node" | "link"
      name: string
    }
    answer: {
      kind: "cell" | "link" | "node"
      name: string
      unit: "mm" | "m" | "share"
      limit: number | null
      values: {
        time: string
        value: number
        p10: number
        p50: number
        p90: number
        percent: number
      }[]
    }
  }
  /** Réseau sur lequel une prévision est faite */
  "GET /api/ahead/{catchmentId}/network": {
    path: {
      catchmentId: string
    }
    query?: {
      issued?: string
    }
    answer: {
      nodes: {
        name: string
        lat: number
        lng: number
      }[]
      links: {
        name: string
        kind: "conduit" | "pump" | "orifice" | "weir" | "outlet"
        from: number
        to: number
      }[]
    }
  }
  /** Valeur des prévisions d’une période, tenues contre l’état calculé de la pluie observée */
  "GET /api/ahead/{catchmentId}/scores": {
    path: {
      catchmentId: string
    }
    query: {
      s: string
      e: string
    }
    answer: {
      leads: {
        leadMin: number
        cycles: number
        brierSkill: number | null
        reliability: {
          forecast: number
          observed: number
          count: number
        }[]
      }[]
    }
  }
  /** Règles d’alerte du compte et alertes en cours */
  "GET /api/alerts": {
    answer: {
      now: string
      timeZone: string
      most: number
      rules: {
        name: string
        measure: {
          kind: "rain-rate"
          product: string
          place: {
            kind: "zone"
            catchment: string
            subcatchment: string | null
          } | {
            kind: "point"
            lat: number
            lng: number
          }
        } | {
          kind: "rain-total"
          product: string
          place: {
            kind: "zone"
            catchment: string
            subcatchment: string | null
          } | {
            kind: "point"
            lat: number
            lng: number
          }
          minutes: number
        } | {
          kind: "rain-return"
          product: string
          place: {
            kind: "zone"
            catchment: string
            subcatchment: string | null
          } | {
            kind: "point"
            lat: number
            lng: number
          }
          table: string | null
        } | {
          kind: "rain-chance"
          lat: number
          lng: number
          aboveMmH: 0.4 | 3 | 10
          withinMin: number
        } | {
          kind: "flood-cell"
          catchmentId: string
          cell: number
          where?: string
          aboveMm: 50 | 200 | 500
          withinMin: number
        } | {
          kind: "flood-node"
          catchmentId: string
          name: string
          withinMin: number
        } | {
          kind: "flood-link"
          catchmentId: string
          name: string
          withinMin: number
        } | {
          kind: "radar-down"
          product: string
        } | {
          kind: "gauge-stuck"
          gauge: string
          minutes: number
        } | {
          kind: "no-cycle"
          catchmentId: string
        }
        threshold: number
        clear: number
        minMinutes: number
        severity: "info" | "warning" | "critical"
        escalateMin: number | null
        enabled: boolean
        notify: {
          email: boolean
          push: boolean
          webhooks: string[]
        }
        quiet: {
          from: string
          to: string
        } | null
        version: number
        id: string
        phase: "off" | "below" | "pending" | "raised" | "blind"
        value: number | null
        valueAt: string | null
        seen: string | null
      }[]
      current: {
        id: string
        ruleId: string
        rule: string
        kind: "rain-rate" | "rain-total" | "rain-return" | "rain-chance" | "flood-cell" | "flood-node" | "flood-link" | "radar-down" | "gauge-stuck" | "no-cycle"
        cause: "crossing" | "missing"
        severity: "info" | "warning" | "critical"
        threshold: number
        crossing: string
        raised: string
        value: number | null
        peak: number | null
        last: number | null
        reason: string
        acknowledged: string | null
        snoozedUntil: string | null
        escalated: string | null
        ended: string | null
        endedBy: ("value" | "person" | "rule") | null
      }[]
    }
  }
  /** Alertes en cours */
  "GET /api/alerts/current": {
    answer: {
      rules: number
      current: {
        id: string
        ruleId: string
        rule: string
        kind: "rain-rate" | "rain-total" | "rain-return" | "rain-chance" | "flood-cell" | "flood-node" | "flood-link" | "radar-down" | "gauge-stuck" | "no-cycle"
        cause: "crossing" | "missing"
        severity: "info" | "warning" | "critical"
        threshold: number
        crossing: string
        raised: string
        value: number | null
        peak: number | null
        last: number | null
        reason: string
        acknowledged: string | null
        snoozedUntil: string | null
        escalated: string | null
        ended: string | null
        endedBy: ("value" | "person" | "rule") | null
      }[]
    }
  }
  /** Journal des alertes, la plus récente ligne d’abord */
  "GET /api/alerts/log": {
    query?: {
      before?: number
    }
    answer: {
      entries: {
        id: number
        alertId: string
        at: string
        what: "raised" | "acknowledged" | "snoozed" | "reminded" | "escalated" | "ended" | "held" | "sent" | "delayed" | "undelivered"
        detail: string
        rule: string
        kind: "rain-rate" | "rain-total" | "rain-return" | "rain-chance" | "flood-cell" | "flood-node" | "flood-link" | "radar-down" | "gauge-stuck" | "no-cycle"
        cause: "crossing" | "missing"
        severity: "info" | "warning" | "critical"
        value: number | null
        reason: string
      }[]
      next: number | null
    }
  }
  /** Comment le compte est averti */
  "GET /api/alerts/person": {
    answer: {
      email: string | null
      confirmed: boolean
      quiet: {
        from: string
        to: string
      } | null
      shared: boolean
      hasMail: boolean
      pushKey: string
      devices: {
        id: string
        label: string
        created: string
      }[]
      webhooks: {
        id: string
        name: string
      }[]
    }
  }
  /** Webhooks des alertes */
  "GET /api/alerts/webhooks": {
    answer: {
      name: string
      url: string
      id: string
      by: string
      created: string
      lastSent: string | null
      lastError: string | null
    }[]
  }
  /** Message d'accueil publié */
  "GET /api/article/home-message": {
    answer: {
      main: string
    }[]
  }
  /** Le bassin versant construit, en zip */
  "GET /api/builder/builds/{buildId}/bassin.zip": {
    path: {
      buildId: string
    }
    answer: unknown
  }
  /** Le rapport de sa construction */
  "GET /api/builder/builds/{buildId}/rapport.md": {
    path: {
      buildId: string
    }
    answer: unknown
  }
  /** Ses bassins versants en construction, le dernier changé d’abord */
  "GET /api/builder/drafts": {
    answer: {
      id: string
      name: string
      createdAt: string
      updatedAt: string
      files: number
      bytes: number
    }[]
  }
  /** Un bassin en construction : sa recette, ses fichiers, ses constructions */
  "GET /api/builder/drafts/{id}": {
    path: {
      id: string
    }
    answer: {
      id: string
      name: string
      createdAt: string
      updatedAt: string
      bytes: number
      recipe: Record<string, unknown>
      files: {
        name: string
        bytes: number
        createdAt: string
        holds: {
          raster?: {
            ncols: number
            nrows: number
            cellSize: number
            crs: string | null
            box: number[]
            values: {
              value: string
              count: number
            }[] | null
          }
          layers?: {
            name: string | null
            geometry: "points" | "lines" | "polygons" | "none"
            features: number
            crs: string | null
            box: number[] | null
            columns: {
              name: string
              values: {
                value: string
                count: number
              }[] | null
            }[]
          }[]
          network?: {
            nodes: number
            links: number
            box: number[] | null
          }
          table?: {
            columns: string[]
            rows: number
          }
        }
      }[]
      builds: {
        jobId: string
        status: "pending" | "running" | "done" | "error"
        cancelled: boolean
        error: string | null
        createdAt: string
        result: {
          id: string
          display: string
          findings: {
            step: string
            kind: "assumed" | "filled" | "moved" | "left" | "checked" | "figure"
            text: string
          }[]
          warnings: string[]
          seconds: number
          bytes: number
        } | null
      }[]
    }
  }
  /** Ce que donne une étape avec ce qui la précède : grille, image, réseau, constats */
  "GET /api/builder/drafts/{id}/preview": {
    path: {
      id: string
    }
    query: {
      step: "outline" | "terrain" | "landUse" | "sewer" | "gullies"
    }
    answer: {
      problems: string[]
      findings: {
        step: string
        kind: "assumed" | "filled" | "moved" | "left" | "checked" | "figure"
        text: string
        places: {
          x: number
          y: number
          lng: number
          lat: number
          text: string
        }[]
      }[]
      grid: {
        place: {
          nrows: number
          ncols: number
          cellSizeM: number
          crs: string
          xll: number
          yll: number
          corners: {
            sw: number[]
            se: number[]
            ne: number[]
            nw: number[]
          }
        }
        cells: number
        inside: number
      } | null
      outline: number[][][]
      town: {
        place: {
          nrows: number
          ncols: number
          cellSizeM: number
          crs: string
          xll: number
          yll: number
          corners: {
            sw: number[]
            se: number[]
            ne: number[]
            nw: number[]
          }
        }
        elevation: {
          minM: number
          stepM: number
        }
        classes: {
          code: number
          title: string
          color: string
        }[]
        waterCode: number | null
        attribution: string
      } | null
      cells: string | null
      network: {
        nodes: {
          name: string
          outfall: boolean
          at: number[]
        }[]
        links: {
          name: string
          places: number[][]
        }[]
      } | null
      gullies: {
        name: string
        junction: string
        at: number[]
      }[]
      seconds: number
    }
  }
  /** Ses calages d’un bassin, les plus récents d’abord */
  "GET /api/calibrations": {
    query: {
      catchmentId: string
    }
    answer: {
      id: string
      username: string
      catchmentId: string
      name: string
      createdAt: string
      jobId: string | null
      status: "pending" | "running" | "done" | "error"
      cancelled: boolean
      error: string | null
      trials: number
      runs: number
      values: {
        kind: "roughness" | "kh" | "imperviousness" | "gullyEfficiency" | "sewerRoughness"
        code?: number
        value: number
      }[] | null
      result: {
        objective: "nse" | "kge"
        seed: number
        trials: number
        failed: number
        parameters: {
          kind: "roughness" | "kh" | "imperviousness" | "gullyEfficiency" | "sewerRoughness"
          code?: number
          value: number
          before: number
          min: number
          max: number
          scale: "linear" | "log"
          low: number
          median: number
          high: number
        }[]
        before: {
          calibration: number | null
          validation: number | null
        }
        after: {
          calibration: number | null
          validation: number | null
        }
        good: number
        threshold: number | null
        scores: {
          event: string
          use: "calibration" | "validation"
          series: string
          quantity: "flow" | "depth" | "level"
          before: {
            pairs: number
            missing: number
            nse: number | null
            kge: number | null
            kgeParts: {
              r: number
              alpha: number
              beta: number
            } | null
            peakMeasured: number
            peakSimulated: number
            peakError: number | null
            peakDelayS: number
            volumeError: number | null
          } | null
          after: {
            pairs: number
            missing: number
            nse: number | null
            kge: number | null
            kgeParts: {
              r: number
              alpha: number
              beta: number
            } | null
            peakMeasured: number
            peakSimulated: number
            peakError: number | null
            peakDelayS: number
            volumeError: number | null
          } | null
          coverage: number | null
        }[]
        warnings: string[]
      } | null
    }[]
  }
  /** Un calage */
  "GET /api/calibrations/{id}": {
    path: {
      id: string
    }
    answer: {
      id: string
      username: string
      catchmentId: string
      name: string
      createdAt: string
      jobId: string | null
      status: "pending" | "running" | "done" | "error"
      cancelled: boolean
      error: string | null
      trials: number
      runs: number
      values: {
        kind: "roughness" | "kh" | "imperviousness" | "gullyEfficiency" | "sewerRoughness"
        code?: number
        value: number
      }[] | null
      result: {
        objective: "nse" | "kge"
        seed: number
        trials: number
        failed: number
        parameters: {
          kind: "roughness" | "kh" | "imperviousness" | "gullyEfficiency" | "sewerRoughness"
          code?: number
          value: number
          before: number
          min: number
          max: number
          scale: "linear" | "log"
          low: number
          median: number
          high: number
        }[]
        before: {
          calibration: number | null
          validation: number | null
        }
        after: {
          calibration: number | null
          validation: number | null
        }
        good: number
        threshold: number | null
        scores: {
          event: string
          use: "calibration" | "validation"
          series: string
          quantity: "flow" | "depth" | "level"
          before: {
            pairs: number
            missing: number
            nse: number | null
            kge: number | null
            kgeParts: {
              r: number
              alpha: number
              beta: number
            } | null
            peakMeasured: number
            peakSimulated: number
            peakError: number | null
            peakDelayS: number
            volumeError: number | null
          } | null
          after: {
            pairs: number
            missing: number
            nse: number | null
            kge: number | null
            kgeParts: {
              r: number
              alpha: number
              beta: number
            } | null
            peakMeasured: number
            peakSimulated: number
            peakError: number | null
            peakDelayS: number
            volumeError: number | null
          } | null
          coverage: number | null
        }[]
        warnings: string[]
      } | null
    }
  }
  /** Les essais d’un calage, aussi pendant qu’il tourne : valeurs et score de chacun */
  "GET /api/calibrations/{id}/trials": {
    path: {
      id: string
    }
    answer: {
      objective: "nse" | "kge"
      parameters: {
        kind: "roughness" | "kh" | "imperviousness" | "gullyEfficiency" | "sewerRoughness"
        code?: number
      }[]
      trials: {
        trial: number
        score: number | null
        values: number[]
        error: string | null
      }[]
    }
  }
  /** Bassins versants que l’on voit, les plus récents d’abord ; l’en-tête radx-next donne la suite */
  "GET /api/catchment-packages": {
    query?: {
      limit?: number
      cursor?: string
      all?: "0" | "1"
    }
    answer: {
      id: string
      cellSizeM: number
      ncols: number
      nrows: number
      activeCells: number
      synthetic: boolean
      attribution: string
      corners: {
        sw: number[]
        se: number[]
        ne: number[]
        nw: number[]
      }
      name: string
      owner: string | null
      sharing: "private" | "named" | "all"
      sharedWith: string[]
      mayChange: boolean
      createdAt: string
      updatedAt: string
      bytes: number | null
      versions: number
      runs: number
    }[]
  }
  /** Un bassin versant et ses versions */
  "GET /api/catchment-packages/{catchmentId}": {
    path: {
      catchmentId: string
    }
    answer: {
      id: string
      cellSizeM: number
      ncols: number
      nrows: number
      activeCells: number
      synthetic: boolean
      attribution: string
      corners: {
        sw: number[]
        se: number[]
        ne: number[]
        nw: number[]
      }
      name: string
      owner: string | null
      sharing: "private" | "named" | "all"
      sharedWith: string[]
      mayChange: boolean
      createdAt: string
      updatedAt: string
      bytes: number | null
      versions: number
      runs: number
      history: {
        version: string
        createdAt: string
        bytes: number | null
        ncols: number
        nrows: number
        current: boolean
      }[]
    }
  }
  /** Le dossier d’un bassin versant en un zip, tel qu’il a été donné */
  "GET /api/catchment-packages/{catchmentId}/package.zip": {
    path: {
      catchmentId: string
    }
    query?: {
      version?: string
    }
    answer: unknown
  }
  /** Bassins et sous-bassins */
  "GET /api/catchments": {
    answer: {
      type: "FeatureCollection"
      features: {
        type: "Feature"
        properties: {
          key: string
          name: string
          parent: string | null
          note?: string
        }
        geometry: {
          type: "Polygon"
          coordinates: number[][][]
        } | {
          type: "MultiPolygon"
          coordinates: number[][][][]
        }
      }[]
    }
  }
  /** Pluviomètres : ceux du site, puis les siens */
  "GET /api/gauges": {
    answer: {
      id: string
      name: string
      owner: "site" | "user"
      position: {
        lat: number
        lng: number
      }
      measure: "depth" | "rate" | "total" | "tips"
    }[]
  }
  /** Pluie d’un bassin, originale et ajustée, en CSV qui dit nom, facteurs et erreur */
  "GET /api/gauges/adjusted.csv": {
    query: {
      p: string
      s: string
      e: string
      method?: "mfb" | "additive" | "multiplicative" | "mixed" | "ked"
      mode?: "live" | "hindsight"
      c?: string
      sc?: string
    }
    answer: unknown
  }
  /** Cumul de la période du produit ajusté, en classes (lot binaire d’une image) */
  "GET /api/gauges/adjusted/accumulation": {
    query: {
      p: string
      s: string
      e: string
      method?: "mfb" | "additive" | "multiplicative" | "mixed" | "ked"
      mode?: "live" | "hindsight"
      ws?: string
      we?: string
    }
    answer: unknown
  }
  /** Images ajustées en classes d’intensité (lot binaire), avec nom et facteurs */
  "GET /api/gauges/adjusted/frames": {
    query: {
      p: string
      s: string
      e: string
      method?: "mfb" | "additive" | "multiplicative" | "mixed" | "ked"
      mode?: "live" | "hindsight"
      ws?: string
      we?: string
    }
    answer: unknown
  }
  /** Produit ajusté d’une période : facteur de chaque image, erreur de chaque méthode */
  "GET /api/gauges/adjustment": {
    query: {
      p: string
      s: string
      e: string
      method?: "mfb" | "additive" | "multiplicative" | "mixed" | "ked"
      mode?: "live" | "hindsight"
      errors?: "0" | "1"
    }
    answer: {
      product: string
      name: string
      method: "mfb" | "additive" | "multiplicative" | "mixed" | "ked"
      mode: "live" | "hindsight"
      start: string
      end: string
      window: {
        start: string
        end: string
      }
      unchanged: ("tooFewGauges" | "noRatio") | null
      gauges: number
      frames: {
        time: string
        factor: number
        already: number | null
      }[]
      errors: {
        method: "raw" | "mfb" | "additive" | "multiplicative" | "mixed" | "ked"
        pairs: number
        biasPct: number | null
        rmse: number | null
        correlation: number | null
      }[]
      notesFr: string[]
    }
  }
  /** Pluviomètres et radar sur une période : rapports, écarts, doubles cumuls, séries */
  "GET /api/gauges/comparison": {
    query: {
      p: string
      s: string
      e: string
      step?: number
      g?: string
      raw?: "0" | "1"
      method?: "moved" | "raw"
    }
    answer: {
      product: string
      start: string
      end: string
      stepMin: number
      method: "moved" | "raw"
      gauges: {
        id: string
        name: string
        owner: "site" | "user"
        position: {
          lat: number
          lng: number
        }
        measure: "depth" | "rate" | "total" | "tips"
        state: "compared" | "outside" | "noReadings" | "noRadar" | "excluded" | "tooCoarse"
        intervalMin: number | null
        depth: {
          gaugeMm: number
          radarMm: number
          lowMm: number
          highMm: number
          ratio: number | null
        } | null
        knownShare: number
        scores: {
          pairs: number
          biasPct: number | null
          rmse: number | null
          correlation: number | null
        } | null
        doubleMass: number[][]
        faults: {
          fault: "stuck" | "impossible" | "clogged" | "cleaning" | "flag"
          start: string
          end: string
          kept: boolean
          flag: string | null
        }[]
      }[]
      all: {
        pairs: number
        biasPct: number | null
        rmse: number | null
        correlation: number | null
        ratio: number | null
        medianRatio: number | null
      }
      scatter: number[][]
      events: {
        start: string
        end: string
        gauges: number
        depth: {
          gaugeMm: number
          radarMm: number
          lowMm: number
          highMm: number
          ratio: number | null
        }
      }[]
      months: {
        start: string
        end: string
        gauges: number
        depth: {
          gaugeMm: number
          radarMm: number
          lowMm: number
          highMm: number
          ratio: number | null
        }
      }[]
      series: {
        gauge: string
        stepMin: number
        times: string[]
        gaugeMm: (number | null)[]
        radarMm: (number | null)[]
        lowMm: (number | null)[]
        highMm: (number | null)[]
      } | null
      flags: {
        id: string
        gauge: string
        start: string
        end: string
        kind: "exclude" | "keep"
        reason: string
        author: string
        setAt: string
        removedBy: string | null
        removedAt: string | null
      }[]
      notesFr: string[]
    }
  }
  /** Périodes que des gestionnaires ont écartées ou gardées, avec qui et pourquoi */
  "GET /api/gauges/flags": {
    query: {
      s: string
      e: string
    }
    answer: {
      id: string
      gauge: string
      start: string
      end: string
      kind: "exclude" | "keep"
      reason: string
      author: string
      setAt: string
      removedBy: string | null
      removedAt: string | null
    }[]
  }
  /** Fichiers de sortie */
  "GET /api/job/output/{jobId}": {
    path: {
      jobId: string
    }
    answer: {
      name: string
      desc: string
      sizeKo: number
      error: string | null
    }[]
  }
  /** Un fichier de sortie */
  "GET /api/job/output/{jobId}/{name}/data": {
    path: {
      jobId: string
      name: string
    }
    answer: unknown
  }
  /** État, avancement et journal d’un calcul */
  "GET /api/job/{id}": {
    path: {
      id: string
    }
    answer: {
      id: string
      _id: string
      kind: string
      username: string
      date: string
      status: "pending" | "running" | "done" | "error"
      input: Record<string, unknown>
      result: unknown
      progress: {
        value: number
        max: number
      }
      msg: string
      msgDate: string | null
      logs: {
        at: string
        line: string
      }[]
      error: string | null
      output: {
        error: string | null
      }
      delay: number | null
      cancelled: boolean
      attempts: number
      queuePlace: number | null
    }
  }
  /** Ses exports gardés, les plus récents d’abord ; l’en-tête radx-next donne la suite */
  "GET /api/jobs/exports": {
    query?: {
      limit?: number
      cursor?: string
    }
    answer: {
      id: string
      kind: "exportgeotiff" | "exportgrid"
      date: string
      status: "pending" | "running" | "done" | "error"
      product: string
      start: string
      end: string
      file: string | null
      bytes: number
      error: string | null
      expires: string | null
    }[]
  }
  /** Simulations de tous, sur les bassins que l’on voit, les plus récentes d’abord ; l’en-tête radx-next donne la suite */
  "GET /api/jobs/multihydro": {
    query?: {
      limit?: number
      cursor?: string
    }
    answer: {
      _id: string
      id: string
      username: string
      date: string
      status: "pending" | "running" | "done" | "error"
      error: string | null
      delay: number | null
      input: {
        title: string
        catchmentId: string
        catchmentDisplay: string
        caseStudyId: string
        barrier: "true" | "false"
        barrierHeight: string
        bassin: "true" | "false"
        bassinDepth: string
        greenRoof: "true" | "false"
        soilModule: "true" | "false"
        drainageModule: "true" | "false"
        luseId: string
        luseIdSource: string
        luseDesc: string
        rainfallSelection: "radar" | "virtual" | "ev7"
        rainfallStart: string
        rainfallEnd: string
        simulationDuration: number
        virtualRainShape: ("simple" | "double" | "chicago" | "uniform" | "series") | null
        virtualParam: ({
          a: number
          b: number
          duration: number
          step: number
          peak: number
          iMax: number
          calmAfter: number
        } | {
          t1: number
          t2: number
          t3: number
          iMax: number
          i2: number
          calmAfter: number
        } | {
          d: number
          t: number
          iMax: number
          calmAfter: number
        } | {
          duration: number
          iMax: number
          calmAfter: number
        } | {
          step: number
          iMax: number
          calmAfter: number
        }) | null
        virtualSource?: string
        virtualData: number[]
        gaugeRain?: {
          id: string
          name: string
          start: string
          end: string
          gapsDry: boolean
          calmAfter: number
        }
        ownRain?: {
          id: string
          name: string
        }
        product: string | null
        transposition?: {
          eastM: number
          northM: number
          shiftMinutes: number
          factor: number
        }
        ensemble?: {
          members: number
          alpha: number
          c1: number
          seed: number
        }
        soilBefore?: {
          choice: "dry" | "mean" | "wet" | "archive"
          state: "dry" | "mean" | "wet"
          depthMm: number | null
          knownShare: number | null
          end: string | null
          method?: "moved" | "raw"
        }
        equations?: "auto" | "inertial" | "full-1" | "full-2"
        parameterSet?: {
          id: string
          name: string
          values: {
            kind: "roughness" | "kh" | "imperviousness" | "gullyEfficiency" | "sewerRoughness"
            code?: number
            value: number
          }[]
        }
        live?: {
          issued: string
          stateJob: string
          rainJob: string
          settings: {
            name: string
            setting: number
          }[]
        }
      }
      rainSparkline: number[]
      rainWithheld: string | null
      cancelled: boolean
      queuePlace: number | null
      outdated: boolean
    }[]
  }
  /** Simulations comparables : même bassin, même pluie */
  "GET /api/jobs/multihydro/similar/{jobId}": {
    path: {
      jobId: string
    }
    answer: {
      _id: string
      input: {
        title: string
        catchmentId: string
        catchmentDisplay: string
        caseStudyId: string
        barrier: "true" | "false"
        barrierHeight: string
        bassin: "true" | "false"
        bassinDepth: string
        greenRoof: "true" | "false"
        soilModule: "true" | "false"
        drainageModule: "true" | "false"
        luseId: string
        luseIdSource: string
        luseDesc: string
        rainfallSelection: "radar" | "virtual" | "ev7"
        rainfallStart: string
        rainfallEnd: string
        simulationDuration: number
        virtualRainShape: ("simple" | "double" | "chicago" | "uniform" | "series") | null
        virtualParam: ({
          a: number
          b: number
          duration: number
          step: number
          peak: number
          iMax: number
          calmAfter: number
        } | {
          t1: number
          t2: number
          t3: number
          iMax: number
          i2: number
          calmAfter: number
        } | {
          d: number
          t: number
          iMax: number
          calmAfter: number
        } | {
          duration: number
          iMax: number
          calmAfter: number
        } | {
          step: number
          iMax: number
          calmAfter: number
        }) | null
        virtualSource?: string
        virtualData: number[]
        gaugeRain?: {
          id: string
          name: string
          start: string
          end: string
          gapsDry: boolean
          calmAfter: number
        }
        ownRain?: {
          id: string
          name: string
        }
        product: string | null
        transposition?: {
          eastM: number
          northM: number
          shiftMinutes: number
          factor: number
        }
        ensemble?: {
          members: number
          alpha: number
          c1: number
          seed: number
        }
        soilBefore?: {
          choice: "dry" | "mean" | "wet" | "archive"
          state: "dry" | "mean" | "wet"
          depthMm: number | null
          knownShare: number | null
          end: string | null
          method?: "moved" | "raw"
        }
        equations?: "auto" | "inertial" | "full-1" | "full-2"
        parameterSet?: {
          id: string
          name: string
          values: {
            kind: "roughness" | "kh" | "imperviousness" | "gullyEfficiency" | "sewerRoughness"
            code?: number
            value: number
          }[]
        }
        live?: {
          issued: string
          stateJob: string
          rainJob: string
          settings: {
            name: string
            setting: number
          }[]
        }
      }
      username: string
      date: string
    }[]
  }
  /** Ses liens courts */
  "GET /api/links": {
    answer: {
      links: {
        name: string
        path: string
        createdAt: string
        expiresAt: string
      }[]
    }
  }
  /** Jours mesurés et leur maximum (g/m³) ; avec rain=1, aussi celui hors couche de fusion */
  "GET /api/mrr/calendar": {
    query?: {
      rain?: "1"
    }
    answer: {
      day: string
      maxValue: number
      rainMaxValue?: number
    }[]
  }
  /** Maxima de cinq minutes d’un jour civil (g/m³) */
  "GET /api/mrr/day/{day}": {
    path: {
      day: string
    }
    answer: {
      datetime: string
      time: string
      maxValue: number
    }[]
  }
  /** L’heure de démonstration, ouverte à tous */
  "GET /api/mrr/demo": {
    query?: {
      v?: "LWC" | "RR" | "Ze" | "VEL"
    }
    answer: {
      datetime: string
      lwc: (number | null)[]
      maxValue: number
      meters_between_gates: number
      meters_to_first_gate: number
      values?: (number | null)[]
      melting?: {
        bottomM: number
        topM: number
      } | null
    }[]
  }
  /** Une heure de profils en CSV, netCDF ou PNG */
  "GET /api/mrr/export/{datetime}": {
    path: {
      datetime: string
    }
    query: {
      v?: "LWC" | "RR" | "Ze" | "VEL"
      format: "csv" | "netcdf" | "png"
    }
    answer: unknown
  }
  /** Profils de l’heure qui commence à cet instant */
  "GET /api/mrr/hour/{datetime}": {
    path: {
      datetime: string
    }
    query?: {
      v?: "LWC" | "RR" | "Ze" | "VEL"
    }
    answer: {
      datetime: string
      lwc: (number | null)[]
      maxValue: number
      meters_between_gates: number
      meters_to_first_gate: number
      values?: (number | null)[]
      melting?: {
        bottomM: number
        topM: number
      } | null
    }[]
  }
  /** Nom de la dernière image du micro radar, sous /images/mrr/ */
  "GET /api/mrr/latest": {
    answer: {
      file: string | null
      dry: boolean
    }
  }
  /** Profils d’une période en colonnes, et le pixel du radar au-dessus de l’instrument */
  "GET /api/mrr/period": {
    query: {
      p: string
      s: string
      e: string
    }
    answer: {
      columnSeconds: number
      meters_between_gates: number
      meters_to_first_gate: number
      rateHeightM: number
      columns: {
        datetime: string
        lwc: number[]
        rateMmH: number | null
      }[]
      pixel: {
        radarPixel: {
          row: number
          col: number
          bounds: {
            ul: {
              lat: number
              lng: number
            }
            lr: {
              lat: number
              lng: number
            }
          }
          center: {
            lat: number
            lng: number
          }
        } | null
        radarData: {
          datetime: string
          value: number | null
        }[]
        cumulMm: number[]
        missingSeconds: number
        moved?: {
          cumulMm: number[]
          missingSeconds: number
        } | null
      }
    }
  }
  /** Ses batteries, les plus récentes d’abord, avec leur avancement */
  "GET /api/multihydro/batteries": {
    answer: {
      id: string
      title: string
      username: string
      date: string
      catchmentId: string
      rains: string[]
      landUses: {
        id: string
        name: string
      }[]
      ordered: number
      done: number
      failed: number
      open: number
      progress: number
    }[]
  }
  /** Une batterie : avancement, simulations et leurs chiffres */
  "GET /api/multihydro/batteries/{id}": {
    path: {
      id: string
    }
    answer: {
      id: string
      title: string
      username: string
      date: string
      catchmentId: string
      rains: string[]
      landUses: {
        id: string
        name: string
      }[]
      ordered: number
      done: number
      failed: number
      open: number
      progress: number
      runs: {
        jobId: string
        rain: number
        landUse: number
        status: "pending" | "running" | "done" | "error"
        cancelled: boolean
        error: string | null
        figures: {
          durationS: number
          deepest: {
            depthM: number
            row: number
            col: number
          } | null
          flooded: {
            fromM: number
            areaM2: number
          }[]
          sewer: {
            nodes: number
            links: number
            overflowing: number
            overflowM3: number
            worstNode: string | null
            surcharged: number
            worstLink: string | null
            outfallM3: number
            largestOutfall: string | null
          } | null
          outfallPeak: {
            flowM3S: number
            timeS: number
            meanS: number
          } | null
          rainMm: number
          infiltratedMm: number
          interceptedMm: number
          rainPeak: {
            rateMmH: number
            timeS: number
            meanS: number
          } | null
          relativeError: number
        } | null
        withheld: string | null
      }[]
    }
  }
  /** Le tableau d’une batterie, une ligne par simulation (CSV) */
  "GET /api/multihydro/batteries/{id}/resultats.csv": {
    path: {
      id: string
    }
    answer: unknown
  }
  /** Le tableau d’une batterie avec les hauteurs maximales et le bilan de chaque simulation (zip) */
  "GET /api/multihydro/batteries/{id}/resultats.zip": {
    path: {
      id: string
    }
    answer: unknown
  }
  /** Bassins versants à simuler */
  "GET /api/multihydro/catchments": {
    answer: {
      id: string
      display: string
      cellSizeM: number
      ncols: number
      nrows: number
      activeCells: number
      synthetic: boolean
      statement: string
      attribution: string
      caseStudies: {
        id: string
        display: string
      }[]
      corners: {
        sw: number[]
        se: number[]
        ne: number[]
        nw: number[]
      }
      permanentWaterCode: number | null
      recentMsPerHour: number[]
      expectedMsPerHour: number | null
    }[]
  }
  /** Changements d’occupation des sols par rapport à la carte du bassin */
  "GET /api/multihydro/file/compare": {
    query: {
      catchmentId: string
      luseId: string
      caseStudyId?: string
    }
    answer: {
      chords: number[][]
      sourceOfLands: number[]
      landCodes: {
        code: number
        title: string
        color: string
      }[]
      cellSizeM: number
    }
  }
  /** Cellules modifiables d’un cas d’étude */
  "GET /api/multihydro/file/mask/{caseStudyId}": {
    path: {
      caseStudyId: string
    }
    answer: {
      data: string
    }
  }
  /** Profil en long : hauteurs d’eau le long d’un chemin, toutes les 10 minutes */
  "GET /api/multihydro/file/nodepath": {
    query: {
      jobId: string
      nodePath: string
    }
    answer: {
      nodes: {
        Name: string
        Elevation: number
        MaxDepth: number
        InitDepth: number
        SurDepth: number
        Aponded: number
      }[]
      links: {
        Name: string
        From_Node: string
        To_Node: string
        Length: number
        Roughness: number
        InOffset: number
        OutOffset: number
        InitFlow: number
        MaxFlow: number
        Shape: string
        Geom1: number
        Barrels: number
      }[]
      data: {
        timeS: number
        depths: number[]
        speeds?: number[]
      }[]
    }
  }
  /** Une carte d’occupation des sols */
  "GET /api/multihydro/file/{id}": {
    path: {
      id: string
    }
    answer: {
      _id: string
      username: string
      creationDate: string
      desc: string
      base64Image: string
      sizeKo: number
      filename: "luse.asc"
      token: string
      catchmentId: string
      outdated: boolean
    }
  }
  /** La carte en grille ESRI ASCII (luse.asc) */
  "GET /api/multihydro/file/{id}/data": {
    path: {
      id: string
    }
    answer: unknown
  }
  /** La carte en lignes, avec le relief et la table des codes sur demande */
  "GET /api/multihydro/file/{id}/dataJson": {
    path: {
      id: string
    }
    query?: {
      elevation?: "true" | "false"
      allCodes?: "true" | "false"
    }
    answer: {
      data: number[][]
      elevation?: number[][]
      codes?: {
        id: string
        code: number
        title: string
        color: string
        kh: number
        capsh: number
        soilmd: number
        nmanningov: number
        interceptionclass: number
        desc: string
        descFull: string
        isSelected: boolean
        measure?: {
          kind: "green-roof" | "rain-garden" | "swale" | "trench" | "pavement" | "basin" | "barrel"
          share?: number
          surfaceMm?: number
          vegetationShare?: number
          sideSlope?: number
          pavementMm?: number
          pavementVoid?: number
          pavementMmH?: number
          soilMm?: number
          porosity?: number
          fieldCapacity?: number
          wiltingPoint?: number
          soilMmH?: number
          soilSlope?: number
          suctionMm?: number
          storageMm?: number
          storageVoid?: number
          seepageMmH?: number
          deficit?: number
          drainMmH?: number
          drainOffsetMm?: number
          drainDelayH?: number
          matN?: number
          roofSlope?: number
          initialShare?: number
          evaporationMmDay?: number
          costEurM2?: number
          drainTo?: string
        }
      }[]
      cellSizeM: number
    }
  }
  /** Image de la carte, un pixel par cellule */
  "GET /api/multihydro/file/{id}/image.jpg": {
    path: {
      id: string
    }
    answer: unknown
  }
  /** Adresse de l’image de la carte, pour la vue 3D */
  "GET /api/multihydro/file/{id}/imageluse": {
    path: {
      id: string
    }
    answer: {
      path: string
    }
  }
  /** Hauteur d’eau d’une cellule au cours du temps (m) */
  "GET /api/multihydro/file/{jobId}/cell": {
    path: {
      jobId: string
    }
    query: {
      row: number
      col: number
    }
    answer: {
      groundM: number
      timesS: number[]
      depthsM: number[]
      speedsMS: number[] | null
    }
  }
  /** Surface inondée, volumes, pluie et débits au cours du temps */
  "GET /api/multihydro/file/{jobId}/course": {
    path: {
      jobId: string
    }
    answer: {
      timesS: number[]
      rainMmH: number[]
      sewerInM3S: number[]
      outfallM3S: number[]
      rainM3: number[]
      interceptedM3: number[]
      infiltratedM3: number[]
      surfaceM3: number[]
      waterM3: number[]
      edgeOutM3: number[]
      sewerM3: number[]
      outfallM3: number[]
      limitsM: number[]
      floodedM2: number[][]
    }
  }
  /** La même évolution en CSV */
  "GET /api/multihydro/file/{jobId}/course.csv": {
    path: {
      jobId: string
    }
    answer: unknown
  }
  /** Hauteurs d’eau au cours du temps : grille et instants */
  "GET /api/multihydro/file/{jobId}/depth": {
    path: {
      jobId: string
    }
    answer: {
      place: {
        nrows: number
        ncols: number
        cellSizeM: number
        crs: string
        xll: number
        yll: number
        corners: {
          sw: number[]
          se: number[]
          ne: number[]
          nw: number[]
        }
      }
      timesS: number[]
    }
  }
  /** Hauteurs d’eau en mm, uint16 petit-boutiste, 65535 hors du bassin ; « to » exclu, au plus 24 instants */
  "GET /api/multihydro/file/{jobId}/depth/frames": {
    path: {
      jobId: string
    }
    query: {
      from: number
      to: number
    }
    answer: unknown
  }
  /** Hauteur d’eau d’un instant en GeoTIFF (m) */
  "GET /api/multihydro/file/{jobId}/depth/geotiff": {
    path: {
      jobId: string
    }
    query: {
      at: number
    }
    answer: unknown
  }
  /** Ensemble : membres, évolutions de chacun et bandes à 10, 50 et 90 % */
  "GET /api/multihydro/file/{jobId}/ensemble": {
    path: {
      jobId: string
    }
    answer: {
      choice: {
        members: number
        alpha: number
        c1: number
        seed: number
      }
      timesS: number[]
      control: {
        seed: number | null
        rainMm: number
        meanMaxMmH: number
        cellMaxMmH: number
        floodedM2: number
        surfaceM3: number
        outfallM3: number
        maxDepthM: number
        relativeError: number
      }
      members: {
        seed: number | null
        rainMm: number
        meanMaxMmH: number
        cellMaxMmH: number
        floodedM2: number
        surfaceM3: number
        outfallM3: number
        maxDepthM: number
        relativeError: number
      }[]
      courses: {
        rainMmH: {
          control: number[]
          members: number[][]
          p10: number[]
          p50: number[]
          p90: number[]
        }
        floodedM2: {
          control: number[]
          members: number[][]
          p10: number[]
          p50: number[]
          p90: number[]
        }
        surfaceM3: {
          control: number[]
          members: number[][]
          p10: number[]
          p50: number[]
          p90: number[]
        }
        sewerInM3S: {
          control: number[]
          members: number[][]
          p10: number[]
          p50: number[]
          p90: number[]
        }
        outfallM3S: {
          control: number[]
          members: number[][]
          p10: number[]
          p50: number[]
          p90: number[]
        }
      }
      place: {
        nrows: number
        ncols: number
        cellSizeM: number
        crs: string
        xll: number
        yll: number
        corners: {
          sw: number[]
          se: number[]
          ne: number[]
          nw: number[]
        }
      }
      links: string[]
      nodes: string[]
    }
  }
  /** Ensemble : hauteurs maximales en mm, uint16 petit-boutiste, 65535 hors du bassin, d’une bande (p10, p50, p90) ou d’un membre (0, 1…) */
  "GET /api/multihydro/file/{jobId}/ensemble/depth": {
    path: {
      jobId: string
    }
    query: {
      of: string
    }
    answer: unknown
  }
  /** Ensemble : débits d’une conduite (m³/s) ou hauteurs d’un regard (m), par membre et en bandes */
  "GET /api/multihydro/file/{jobId}/ensemble/element": {
    path: {
      jobId: string
    }
    query: {
      kind: "link" | "node"
      name: string
    }
    answer: {
      control: number[]
      members: number[][]
      p10: number[]
      p50: number[]
      p90: number[]
      timesS: number[]
    }
  }
  /** Chiffres clés d’une simulation terminée */
  "GET /api/multihydro/file/{jobId}/figures": {
    path: {
      jobId: string
    }
    answer: {
      durationS: number
      deepest: {
        depthM: number
        row: number
        col: number
      } | null
      flooded: {
        fromM: number
        areaM2: number
      }[]
      sewer: {
        nodes: number
        links: number
        overflowing: number
        overflowM3: number
        worstNode: string | null
        surcharged: number
        worstLink: string | null
        outfallM3: number
        largestOutfall: string | null
      } | null
      outfallPeak: {
        flowM3S: number
        timeS: number
        meanS: number
      } | null
      rainMm: number
      infiltratedMm: number
      interceptedMm: number
      rainPeak: {
        rateMmH: number
        timeS: number
        meanS: number
      } | null
      relativeError: number
    }
  }
  /** Pluie, débits et volumes au cours du temps */
  "GET /api/multihydro/file/{jobId}/flows": {
    path: {
      jobId: string
    }
    answer: {
      timesS: number[]
      rainMmH: number[]
      sewerInM3S: number[]
      outfallM3S: number[]
      rainM3: number[]
      interceptedM3: number[]
      infiltratedM3: number[]
      surfaceM3: number[]
      waterM3: number[]
      edgeOutM3: number[]
      sewerM3: number[]
      outfallM3: number[]
    }
  }
  /** Mailles inondées, regards et conduites avec leurs maximums, en GeoPackage */
  "GET /api/multihydro/file/{jobId}/geopackage": {
    path: {
      jobId: string
    }
    answer: unknown
  }
  /** Une carte de toute la simulation : uint16 petit-boutiste, 65535 sans valeur */
  "GET /api/multihydro/file/{jobId}/map/{map}": {
    path: {
      jobId: string
      map: "hauteur" | "vitesse" | "debit" | "infiltration" | "arrivee" | "duree-5" | "duree-20" | "duree-50" | "defra" | "ppri"
    }
    answer: unknown
  }
  /** La même carte en GeoTIFF */
  "GET /api/multihydro/file/{jobId}/map/{map}/geotiff": {
    path: {
      jobId: string
      map: "hauteur" | "vitesse" | "debit" | "infiltration" | "arrivee" | "duree-5" | "duree-20" | "duree-50" | "defra" | "ppri"
    }
    answer: unknown
  }
  /** Hauteur d’eau maximale de chaque cellule mouillée en CSV, avec l’écart à une référence */
  "GET /api/multihydro/file/{jobId}/max-depth.csv": {
    path: {
      jobId: string
    }
    query?: {
      reference?: string
    }
    answer: unknown
  }
  /** Hauteur d’eau maximale en GeoTIFF (m), ou son écart à une simulation de référence */
  "GET /api/multihydro/file/{jobId}/max-depth.tif": {
    path: {
      jobId: string
    }
    query?: {
      reference?: string
    }
    answer: unknown
  }
  /** Ouvrages de stockage : ce que chacun a reçu, gardé, infiltré et rendu */
  "GET /api/multihydro/file/{jobId}/measures": {
    path: {
      jobId: string
    }
    answer: {
      measures: {
        name: string
        kind: "green-roof" | "rain-garden" | "swale" | "trench" | "pavement" | "basin" | "barrel"
        code: number
        cells: number
        areaM2: number
        drainTo: string
        rainM3: number
        inflowM3: number
        initialM3: number
        storedM3: number
        infiltratedM3: number
        evaporatedM3: number
        drainedM3: number
        overflowM3: number
        balanceErrorM3: number
        keptM3: number
        costEur: number
      }[]
    }
  }
  /** Cartes de la simulation et hauteurs d’eau au cours du temps, en CF-netCDF */
  "GET /api/multihydro/file/{jobId}/netcdf": {
    path: {
      jobId: string
    }
    answer: unknown
  }
  /** Ses mesures à côté d’une simulation terminée, avec leurs scores sur une période */
  "GET /api/multihydro/file/{jobId}/observations": {
    path: {
      jobId: string
    }
    query?: {
      start?: string
      end?: string
    }
    answer: {
      start: string
      durationS: number
      series: {
        id: string
        name: string
        place: {
          kind: "node"
          name: string
        } | {
          kind: "link"
          name: string
        } | {
          kind: "street"
          name: string
        } | {
          kind: "point"
          x: number
          y: number
        }
        quantity: "flow" | "depth" | "level"
        problem: string | null
        timesS: number[]
        measured: (number | null)[]
        simulated: (number | null)[]
        scores: {
          pairs: number
          missing: number
          nse: number | null
          kge: number | null
          kgeParts: {
            r: number
            alpha: number
            beta: number
          } | null
          peakMeasured: number
          peakSimulated: number
          peakError: number | null
          peakDelayS: number
          volumeError: number | null
        } | null
      }[]
    }
  }
  /** Contenu d’un fichier de sortie pour l’analyse */
  "GET /api/multihydro/file/{jobId}/output": {
    path: {
      jobId: string
    }
    query: {
      series?: "all" | "peak"
      names?: string
      outputType: string
    }
    answer: {
      outputType: "all_flow_10m.txt"
      intervalMinutes: number
      timesS: number[]
      links: {
        Name: string
        From_Node: string
        To_Node: string
        Length: number
        Roughness: number
        InOffset: number
        OutOffset: number
        InitFlow: number
        MaxFlow: number
        Shape: string
        Geom1: number
        Barrels: number
        data: number[]
        peak?: number | null
      }[]
    } | {
      outputType: "all_height_10m.txt"
      intervalMinutes: number
      timesS: number[]
      junctions: {
        Name: string
        Elevation: number
        MaxDepth: number
        InitDepth: number
        SurDepth: number
        Aponded: number
        data: number[]
        peak?: number | null
      }[]
      overflowing: string[] | null
    } | {
      outputType: "max_waterdepth_10m.txt"
      cellSizeM: number
      place: {
        nrows: number
        ncols: number
        cellSizeM: number
        crs: string
        xll: number
        yll: number
        corners: {
          sw: number[]
          se: number[]
          ne: number[]
          nw: number[]
        }
      }
      data: (number | null)[][]
    }
  }
  /** Pluie de chaque cellule au cours du temps : instants */
  "GET /api/multihydro/file/{jobId}/rain": {
    path: {
      jobId: string
    }
    answer: {
      timesS: number[]
      missing: number[]
    }
  }
  /** Pluie en dixièmes de mm/h, uint16 petit-boutiste, 65535 sans donnée ; « to » exclu, au plus 24 instants */
  "GET /api/multihydro/file/{jobId}/rain/frames": {
    path: {
      jobId: string
    }
    query: {
      from: number
      to: number
    }
    answer: unknown
  }
  /** Pluie d’un instant en GeoTIFF (mm/h) */
  "GET /api/multihydro/file/{jobId}/rain/geotiff": {
    path: {
      jobId: string
    }
    query: {
      at: number
    }
    answer: unknown
  }
  /** Débit à travers une ligne au cours du temps (m³/s), en cellules depuis le coin nord-ouest */
  "GET /api/multihydro/file/{jobId}/section": {
    path: {
      jobId: string
    }
    query: {
      x1: number
      y1: number
      x2: number
      y2: number
    }
    answer: {
      lengthM: number
      timesS: number[]
      flowM3S: number[] | null
    }
  }
  /** Maximums, débordements et mises en charge du réseau */
  "GET /api/multihydro/file/{jobId}/sewer": {
    path: {
      jobId: string
    }
    answer: {
      nodes: {
        name: string[]
        depthM: number[]
        headM: number[]
        timeS: number[]
        inflowM3S: number[]
        floodedM3: number[]
        outfallM3: number[]
      }
      links: {
        name: string[]
        flowM3S: number[]
        timeS: number[]
        speedMS: number[]
        filling: number[]
        volumeM3: number[]
        surchargedS: number[]
      }
    }
  }
  /** Le réseau au cours du temps : instants, conduites et regards */
  "GET /api/multihydro/file/{jobId}/sewer/moments": {
    path: {
      jobId: string
    }
    answer: {
      timesS: number[]
      links: string[]
      nodes: string[]
    }
  }
  /** Remplissage des conduites (%, 100 en charge, 255 sans section) puis débordement des regards (l/s) à ces instants, un octet chacun */
  "GET /api/multihydro/file/{jobId}/sewer/moments/codes": {
    path: {
      jobId: string
    }
    answer: unknown
  }
  /** Rues inondées, par leur nom, là où le bassin versant les nomme */
  "GET /api/multihydro/file/{jobId}/streets": {
    path: {
      jobId: string
    }
    answer: {
      limitsM: number[]
      named: boolean
      streets: {
        name: string
        areasM2: number[]
        wholeM2: number
        deepest: {
          depthM: number
          row: number
          col: number
        }
      }[]
    }
  }
  /** Cartes d’occupation des sols d’un bassin ; l’en-tête radx-next donne la suite */
  "GET /api/multihydro/files": {
    query: {
      limit?: number
      cursor?: string
      c: string
      n?: "luse.asc"
    }
    answer: {
      _id: string
      username: string
      creationDate: string
      desc: string
      base64Image: string
      sizeKo: number
      filename: "luse.asc"
      token: string
      catchmentId: string
      outdated: boolean
    }[]
  }
  /** Ses propres pluies d’images radar sur un bassin versant, les plus récentes d’abord */
  "GET /api/multihydro/rains": {
    query: {
      catchmentId: string
    }
    answer: {
      id: string
      name: string
      catchmentId: string
      createdAt: string
      start: string
      end: string
      pictures: number
      stepS: number
      cellM: number | null
      coveredShare: number
      missingShare: number
      totalMm: number
      meanMaxMmH: number
      cellMaxMmH: number
      remarksFr: string[]
    }[]
  }
  /** Ce qu’un pluviomètre a mesuré sur une période, minute par minute, comme une simulation le prendrait */
  "GET /api/multihydro/rains/gauge": {
    query: {
      g: string
      s: string
      e: string
    }
    answer: {
      minutesMmH: (number | null)[]
      totalMm: number
      missingMin: number
      intervalMin: number | null
    }
  }
  /** Une pluie d’images radar à soi, avec son hyétogramme moyen et la carte de son cumul */
  "GET /api/multihydro/rains/{rainId}": {
    path: {
      rainId: string
    }
    answer: {
      id: string
      name: string
      catchmentId: string
      createdAt: string
      start: string
      end: string
      pictures: number
      stepS: number
      cellM: number | null
      coveredShare: number
      missingShare: number
      totalMm: number
      meanMaxMmH: number
      cellMaxMmH: number
      remarksFr: string[]
      minutesMmH: number[]
      totals: (number | null)[][]
    }
  }
  /** Nœuds du réseau, tel que la simulation jobId l’a vu quand elle est nommée */
  "GET /api/multihydro/{catchmentId}/nodes": {
    path: {
      catchmentId: string
    }
    query?: {
      jobId?: string
    }
    answer: {
      name: string
      lon: number
      lat: number
      kind: string
    }[]
  }
  /** Le fond de carte d’un bassin versant, avec la carte d’occupation des sols luseId quand elle est nommée */
  "GET /api/multihydro/{catchmentId}/town": {
    path: {
      catchmentId: string
    }
    query?: {
      luseId?: string
    }
    answer: {
      place: {
        nrows: number
        ncols: number
        cellSizeM: number
        crs: string
        xll: number
        yll: number
        corners: {
          sw: number[]
          se: number[]
          ne: number[]
          nw: number[]
        }
      }
      elevation: {
        minM: number
        stepM: number
      }
      classes: {
        code: number
        title: string
        color: string
      }[]
      waterCode: number | null
      attribution: string
    }
  }
  /** Ses cellules : altitudes (uint16 petit-boutiste, 65535 hors du bassin), puis occupation des sols (uint8, rang dans la table, 255 hors du bassin) */
  "GET /api/multihydro/{catchmentId}/town/grid": {
    path: {
      catchmentId: string
    }
    query?: {
      luseId?: string
    }
    answer: unknown
  }
  /** Notes d’une simulation, en texte */
  "GET /api/multihydro/{jobId}/comment": {
    path: {
      jobId: string
    }
    answer: unknown
  }
  /** Ses réseaux, les plus récents d’abord ; l’en-tête radx-next donne la suite */
  "GET /api/networks": {
    query?: {
      limit?: number
      cursor?: string
      all?: "0" | "1"
    }
    answer: {
      id: string
      name: string
      owner: string
      crs: string | null
      createdAt: string
      updatedAt: string
      runs: number
      newest: {
        version: number
        file: string
        files: {
          name: string
          bytes: number
        }[]
        bytes: number
        createdAt: string
        nodes: number
        links: number
        subcatchments: number
        warnings: number
      }
    }[]
  }
  /** Un calcul de réseau */
  "GET /api/networks/runs/{jobId}": {
    path: {
      jobId: string
    }
    answer: {
      id: string
      networkId: string
      version: number
      username: string
      rain: {
        kind: string
        name: string
      }
      implicit: boolean
      status: "pending" | "running" | "done" | "error"
      cancelled: boolean
      error: string | null
      createdAt: string
      finishedAt: string | null
      result: {
        simulatedS: number
        wallSeconds: number
        steps: number
        rainMm: number | null
        runoffM3: number | null
        initialM3?: number
        inflowM3: number
        outfallM3: number
        floodedM3: number
        lossM3?: number
        storedM3: number
        driftM3?: number
        relativeError: number
        floodedNodes: number
        surchargedLinks: number
        stepS: number
        periods: number
        warnings: string[]
      } | null
    }
  }
  /** Compare un calcul à un autre, par les noms des nœuds et des liens */
  "GET /api/networks/runs/{jobId}/compare": {
    path: {
      jobId: string
    }
    query: {
      with: string
    }
    answer: {
      name: string
      sampled: boolean
      doubts: string[]
      links: {
        unit: string
        common: number
        ranked: number
        medianPercent: number
        p95Percent: number
        rows: {
          name: string
          kind: string
          theirs: number
          ours: number
          difference: number | null
          doubtful: boolean
        }[]
      }
      nodes: {
        unit: string
        common: number
        ranked: number
        medianPercent: number
        p95Percent: number
        rows: {
          name: string
          kind: string
          theirs: number
          ours: number
          difference: number | null
          doubtful: boolean
        }[]
      }
      runoffPeaks: {
        unit: string
        common: number
        ranked: number
        medianPercent: number
        p95Percent: number
        rows: {
          name: string
          kind: string
          theirs: number
          ours: number
          difference: number | null
          doubtful: boolean
        }[]
      }
      runoffDepths: {
        unit: string
        common: number
        ranked: number
        medianPercent: number
        p95Percent: number
        rows: {
          name: string
          kind: string
          theirs: number
          ours: number
          difference: number | null
          doubtful: boolean
        }[]
      }
    }
  }
  /** Courbes de nœuds, de liens ou de bassins, une ligne par nom */
  "GET /api/networks/runs/{jobId}/curves": {
    path: {
      jobId: string
    }
    query: {
      of: "node" | "link" | "subcatchment"
      what: string
      names: string
    }
    answer: {
      timesS: number[]
      curves: {
        name: string
        values: number[]
      }[]
    }
  }
  /** Fichiers de résultats */
  "GET /api/networks/runs/{jobId}/files": {
    path: {
      jobId: string
    }
    answer: {
      name: string
      bytes: number
    }[]
  }
  /** Un fichier de résultats */
  "GET /api/networks/runs/{jobId}/files/{name}": {
    path: {
      jobId: string
      name: string
    }
    answer: unknown
  }
  /** Maximums de chaque nœud, lien et bassin */
  "GET /api/networks/runs/{jobId}/peaks": {
    path: {
      jobId: string
    }
    answer: {
      nodes: {
        names: string[]
        maxDepthM: number[]
        maxHeadM: number[]
        timeS: number[]
        maxInflowM3S: number[]
        floodedM3: number[]
      }
      links: {
        names: string[]
        maxFlowM3S: number[]
        timeS: number[]
        maxVelocityMS: number[]
        fill: number[]
        volumeM3: number[]
        surchargedS: number[]
      }
      subcatchments: {
        names: string[]
        rainMm: number[]
        infiltrationMm: number[]
        runoffMm: number[]
        ratedMm?: number[]
        peakM3S: number[]
      }
    }
  }
  /** Un réseau et ses versions */
  "GET /api/networks/{id}": {
    path: {
      id: string
    }
    answer: {
      id: string
      name: string
      owner: string
      crs: string | null
      createdAt: string
      updatedAt: string
      runs: number
      newest: {
        version: number
        file: string
        files: {
          name: string
          bytes: number
        }[]
        bytes: number
        createdAt: string
        nodes: number
        links: number
        subcatchments: number
        warnings: number
      }
      versions: {
        version: number
        file: string
        files: {
          name: string
          bytes: number
        }[]
        bytes: number
        createdAt: string
        nodes: number
        links: number
        subcatchments: number
        warnings: number
      }[]
    }
  }
  /** Calculs d’un réseau, les plus récents d’abord ; l’en-tête radx-next donne la suite */
  "GET /api/networks/{id}/runs": {
    path: {
      id: string
    }
    query?: {
      limit?: number
      cursor?: string
    }
    answer: {
      id: string
      networkId: string
      version: number
      username: string
      rain: {
        kind: string
        name: string
      }
      implicit: boolean
      status: "pending" | "running" | "done" | "error"
      cancelled: boolean
      error: string | null
      createdAt: string
      finishedAt: string | null
      result: {
        simulatedS: number
        wallSeconds: number
        steps: number
        rainMm: number | null
        runoffM3: number | null
        initialM3?: number
        inflowM3: number
        outfallM3: number
        floodedM3: number
        lossM3?: number
        storedM3: number
        driftM3?: number
        relativeError: number
        floodedNodes: number
        surchargedLinks: number
        stepS: number
        periods: number
        warnings: string[]
      } | null
    }[]
  }
  /** Un fichier d’une version, tel qu’il a été donné */
  "GET /api/networks/{id}/versions/{version}/files/{name}": {
    path: {
      id: string
      version: number
      name: string
    }
    answer: unknown
  }
  /** Ce que le fichier dit : nœuds, liens, bassins, positions, avertissements du lecteur */
  "GET /api/networks/{id}/versions/{version}/model": {
    path: {
      id: string
      version: number
    }
    query?: {
      crs?: string
    }
    answer: {
      title: string[]
      file: string
      units: {
        flow: string
        length: string
      }
      startAt: string
      durationS: number
      reportStepS: number
      routing: string
      placed: "degrees" | "file" | "layout"
      guessed: string[]
      nodes: {
        name: string
        kind: "junction" | "outfall" | "storage"
        at: number[]
        invertM: number
        depthM: number
      }[]
      links: {
        name: string
        kind: "conduit" | "pump" | "orifice" | "weir" | "outlet"
        from: number
        to: number
        bends: number[][]
        lengthM: number
        shape: string
        heightM: number
      }[]
      subcatchments: {
        name: string
        areaM2: number
        imperviousShare: number
        outlet: string | null
        gage: string | null
        measures: number
        ring: number[][]
      }[]
      gages: string[]
      cutOff: string[]
      warnings: {
        line: number | null
        text: string
      }[]
    }
  }
  /** Profil en long entre deux nœuds, avec les hauteurs d’eau d’un calcul s’il est nommé */
  "GET /api/networks/{id}/versions/{version}/profile": {
    path: {
      id: string
      version: number
    }
    query: {
      start: string
      end: string
      run?: string
    }
    answer: {
      nodes: {
        Name: string
        Elevation: number
        MaxDepth: number
        InitDepth: number
        SurDepth: number
        Aponded: number
      }[]
      links: {
        Name: string
        From_Node: string
        To_Node: string
        Length: number
        Roughness: number
        InOffset: number
        OutOffset: number
        InitFlow: number
        MaxFlow: number
        Shape: string
        Geom1: number
        Barrels: number
      }[]
      data: {
        timeS: number
        depths: number[]
        speeds?: number[]
      }[]
    }
  }
  /** Prévision à deux heures : échéances et horizon de fiabilité */
  "GET /api/nowcast": {
    query?: {
      issued?: string
    }
    answer: {
      product: string
      issued: string | null
      reason: ("few-frames" | "gap" | "missing" | "dry" | "no-motion") | null
      times: string[]
      origin?: "stored" | "replayed"
      members?: number
      horizonMin: number | null
      skill: {
        leadMin: number
        csi: number
      }[]
    }
  }
  /** Probabilité de dépasser une intensité, en dixièmes (lot binaire), une image par échéance */
  "GET /api/nowcast/chances": {
    query: {
      issued?: string
      above: number
    }
    answer: unknown
  }
  /** Pluie moyenne prévue d'un bassin, et ses quantiles 10, 50 et 90 % */
  "GET /api/nowcast/fan": {
    query?: {
      issued?: string
      c?: string
      sc?: string
    }
    answer: {
      product: string
      issued: string | null
      reason: ("few-frames" | "gap" | "missing" | "dry" | "no-motion") | null
      horizonMin: number | null
      members: number
      values: {
        time: string
        leadMin: number
        mmH: number | null
        p10: number | null
        p50: number | null
        p90: number | null
      }[]
    }
  }
  /** Images prévues en classes d'intensité (lot binaire), la dernière observée d'abord */
  "GET /api/nowcast/frames": {
    query?: {
      issued?: string
    }
    answer: unknown
  }
  /** Déplacement de la pluie : vitesses sur une grille large, là où il pleut */
  "GET /api/nowcast/motion": {
    query?: {
      issued?: string
    }
    answer: {
      product: string
      issued: string | null
      reason: ("few-frames" | "gap" | "missing" | "dry" | "no-motion") | null
      arrows: {
        lat: number
        lng: number
        eastKmH: number
        northKmH: number
      }[]
    }
  }
  /** Pluie prévue dans une maille (mm/h), et ses quantiles 10, 50 et 90 % */
  "GET /api/nowcast/pixel": {
    query: {
      issued?: string
      lat: number
      lng: number
    }
    answer: {
      product: string
      issued: string | null
      reason: ("few-frames" | "gap" | "missing" | "dry" | "no-motion") | null
      horizonMin: number | null
      members: number
      values: {
        time: string
        leadMin: number
        mmH: number | null
        p10: number | null
        p50: number | null
        p90: number | null
      }[]
    }
  }
  /** Pluie à venir en un lieu, par classe d'intensité */
  "GET /api/nowcast/place": {
    query: {
      issued?: string
      lat: number
      lng: number
    }
    answer: {
      issued: string | null
      horizonMin: number | null
      reason: ("few-frames" | "gap" | "missing" | "dry" | "no-motion") | null
      classes: {
        leadMin: number
        class: number | null
      }[]
      rainInMin: number | null
      dryInMin: number | null
    }
  }
  /** Qualité des prévisions d'une période : scores par échéance, contre la persistance, et fiabilité */
  "GET /api/nowcast/scores": {
    query: {
      s: string
      e: string
      until?: number
    }
    answer: {
      product: string
      start: string
      end: string
      frames: number
      thresholdsMmH: number[]
      leads: {
        leadMin: number
        cells: number
        forecast: {
          maeMmH: number | null
          rmseMmH: number | null
          biasMmH: number | null
          csi: (number | null)[]
          pod: (number | null)[]
          far: (number | null)[]
          frequencyBias: (number | null)[]
        }
        persistence: {
          maeMmH: number | null
          rmseMmH: number | null
          biasMmH: number | null
          csi: (number | null)[]
          pod: (number | null)[]
          far: (number | null)[]
          frequencyBias: (number | null)[]
        }
        brier: (number | null)[]
      }[]
      reliability: {
        thresholdMmH: number
        bins: {
          given: number | null
          seen: number | null
          cells: number
        }[]
      }[]
      horizonMin: number | null
    }
  }
  /** Qualité des prévisions d'une période, en CSV */
  "GET /api/nowcast/scores.csv": {
    query: {
      s: string
      e: string
      until?: number
    }
    answer: unknown
  }
  /** Ses séries de mesures d’un bassin */
  "GET /api/observations": {
    query: {
      catchmentId: string
    }
    answer: {
      id: string
      username: string
      catchmentId: string
      name: string
      fileName: string
      place: {
        kind: "node"
        name: string
      } | {
        kind: "link"
        name: string
      } | {
        kind: "street"
        name: string
      } | {
        kind: "point"
        x: number
        y: number
      }
      quantity: "flow" | "depth" | "level"
      unit: "m3/s" | "l/s" | "m3/h" | "m" | "cm" | "mm"
      timeZone: string
      first: string
      last: string
      count: number
      missing: number
      createdAt: string
    }[]
  }
  /** Plus court chemin le long des conduites */
  "GET /api/pathfinder/catchmentId/{catchmentId}": {
    path: {
      catchmentId: string
    }
    query: {
      start: string
      end: string
      via?: string
      jobId?: string | ""
    }
    answer: string[]
  }
  /** Produits du radar */
  "GET /api/products": {
    answer: {
      shortName: string
      longName: string
      activeStatus: boolean
      bounds: {
        ul: {
          lat: number
          lng: number
        }
        lr: {
          lat: number
          lng: number
        }
      }
      steps: number
    }[]
  }
  /** Cumul d'une période, cellule par cellule, en classes (lot binaire d'une image) */
  "GET /api/products/accumulation": {
    query: {
      p: string
      s: string
      e: string
      method?: "moved" | "raw"
    }
    answer: unknown
  }
  /** Images, cumuls et station d'une période */
  "GET /api/products/archive": {
    query: {
      p: string
      s: string
      e: string
      c?: string
      sc?: string
      step?: number
    }
    answer: {
      images: {
        mean: number | null
        nonzerosmean: number | null
        nonzerospc: number | null
        path: string
        datetime: string
        time: string
        localtime: string
        date: string
        max: number | null
        maxAt: {
          lat: number
          lng: number
        } | null
        validpc: number
        catchment: {
          mean: number | null
          nonzerosmean: number | null
          nonzerospc: number | null
        } | null
        quality?: {
          zone: number | null
          catchment: number | null
        }
        check?: number
      }[]
      taranis: {
        t: {
          datetime: string
          value: number | null
        }[]
        p: {
          datetime: string
          value: number | null
        }[]
        h: {
          datetime: string
          value: number | null
        }[]
        uzSonic: {
          datetime: string
          value: number | null
        }[]
        end: string
        station: {
          t0: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t1: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t2: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t3: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
        } | null
        sonic: {
          t0: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t1: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t2: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t3: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
        } | null
      } | null
      mrr: {
        latest: string | null
      }
      cumulated: {
        zoneMm: number[]
        catchmentMm: number[] | null
        missingSeconds: number
        moved?: {
          zoneMm: number[]
          catchmentMm: number[] | null
          missingSeconds: number
        } | null
        quality?: {
          zone: {
            mean: number
            share: number
          } | null
          catchment: {
            mean: number
            share: number
          } | null
        }
      }
      gaps: {
        start: string
        end: string
      }[]
      every?: {
        frames: number
        rmoyenMmH: number | null
        max: {
          valueMmH: number
          datetime: string
          at: {
            lat: number
            lng: number
          } | null
        } | null
      }
    }
  }
  /** La sélection en classeur : synthèse, images, bassins, pluviomètres, acquisition, provenance */
  "GET /api/products/export.xlsx": {
    query: {
      p: string
      s: string
      e: string
      c?: string
      sc?: string
      method?: "moved" | "raw"
      g?: string
      title?: string
      adjust?: string
    }
    answer: unknown
  }
  /** Images d'une période en classes d'intensité, ou la qualité de leur pluie en dixièmes (lot binaire) */
  "GET /api/products/frames": {
    query: {
      p: string
      s: string
      e: string
      step?: number
      v?: string
      layer?: "rain" | "quality"
    }
    answer: unknown
  }
  /** Un graphe de la sélection en PNG, à la qualité d’impression */
  "GET /api/products/graph": {
    query: {
      p: string
      s: string
      e: string
      c?: string
      sc?: string
      method?: "moved" | "raw"
      t: "hyetogram" | "catchment" | "coverage" | "cumul" | "pixel"
      adjust?: string
      lat?: number
      lng?: number
    }
    answer: unknown
  }
  /** Images d'un jour civil */
  "GET /api/products/hours/{day}": {
    path: {
      day: string
    }
    query: {
      p: string
      c?: string
      sc?: string
    }
    answer: {
      nonzerosmean: number | null
      nonzerospc: number | null
      time: string
      datetime: string
      localtime: string
      catchment: {
        mean: number | null
        nonzerosmean: number | null
        nonzerospc: number | null
      } | null
    }[]
  }
  /** Hyétogrammes de la sélection en CSV */
  "GET /api/products/hyetogram.csv": {
    query: {
      p: string
      s: string
      e: string
      c?: string
      sc?: string
      method?: "moved" | "raw"
      adjust?: string
    }
    answer: unknown
  }
  /** Les trois dernières heures */
  "GET /api/products/latestImages": {
    query: {
      p: string
      c?: string
      sc?: string
    }
    answer: {
      images: {
        mean: number | null
        nonzerosmean: number | null
        nonzerospc: number | null
        path: string
        datetime: string
        time: string
        localtime: string
        date: string
        max: number | null
        maxAt: {
          lat: number
          lng: number
        } | null
        validpc: number
        catchment: {
          mean: number | null
          nonzerosmean: number | null
          nonzerospc: number | null
        } | null
        quality?: {
          zone: number | null
          catchment: number | null
        }
        check?: number
      }[]
      isRadarDown: boolean
      taranis: {
        t: {
          datetime: string
          value: number | null
        }[]
        p: {
          datetime: string
          value: number | null
        }[]
        h: {
          datetime: string
          value: number | null
        }[]
        uzSonic: {
          datetime: string
          value: number | null
        }[]
        end: string
        station: {
          t0: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t1: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t2: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t3: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
        } | null
        sonic: {
          t0: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t1: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t2: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
          t3: {
            n: number
            nne: number
            ne: number
            ene: number
            e: number
            ese: number
            se: number
            sse: number
            s: number
            ssw: number
            sw: number
            wsw: number
            w: number
            wnw: number
            nw: number
            nnw: number
          }
        } | null
      } | null
      mrr: {
        latest: string | null
      }
      cumulated: {
        zoneMm: number[]
        catchmentMm: number[] | null
        missingSeconds: number
        moved?: {
          zoneMm: number[]
          catchmentMm: number[] | null
          missingSeconds: number
        } | null
        quality?: {
          zone: {
            mean: number
            share: number
          } | null
          catchment: {
            mean: number
            share: number
          } | null
        }
      }
    }
  }
  /** Jours d'un mois civil qui ont des images */
  "GET /api/products/month/{month}": {
    path: {
      month: string
    }
    query: {
      p: string
      c?: string
      sc?: string
    }
    answer: {
      day: string
      meanmax: {
        value: number
        desc: string
      }
      catchments: Record<string, {
        meanmax: {
          value: number
          desc: string
        } | null
        subcatchments: Record<string, {
          meanmax: {
            value: number
            desc: string
          } | null
        }>
      }>
    }[]
  }
  /** Mois civils qui ont des images (AAAA-MM) */
  "GET /api/products/months": {
    query: {
      p: string
    }
    answer: string[]
  }
  /** Paramètres d'acquisition d'une image, à une heure près */
  "GET /api/products/params/{datetime}": {
    path: {
      datetime: string
    }
    query: {
      p: string
    }
    answer: {
      product: {
        version: string
        name: string
        datetime: string
      }
      data: {
        sensorinfo: {
          name: string
          wavelen: number | null
          beamwidth: number | null
          alt: number | null
        }
      }
    }
  }
  /** Série et cumul d'un pixel */
  "GET /api/products/pixel": {
    query: {
      p: string
      s?: string
      e?: string
      lat: number
      lng: number
    }
    answer: {
      radarPixel: {
        row: number
        col: number
        bounds: {
          ul: {
            lat: number
            lng: number
          }
          lr: {
            lat: number
            lng: number
          }
        }
        center: {
          lat: number
          lng: number
        }
      } | null
      radarData: {
        datetime: string
        value: number | null
      }[]
      cumulMm: number[]
      missingSeconds: number
      moved?: {
        cumulMm: number[]
        missingSeconds: number
      } | null
    }
  }
  /** Pixels autour d’un bassin (4 km) en JSON, pour les gestionnaires */
  "GET /api/products/raster": {
    query: {
      p: string
      s: string
      e: string
      c?: string
      sc?: string
      method?: "moved" | "raw"
      adjust?: string
    }
    answer: unknown
  }
  /** Nombre d'images d'une période, et leur poids en octets */
  "GET /api/products/weight": {
    query: {
      p: string
      s: string
      e: string
      step?: number
    }
    answer: {
      slides: number
      weight: number
    }
  }
  /** Volumes polaires gardés, du plus récent au plus ancien */
  "GET /api/radar-volumes": {
    query?: {
      limit?: number
      cursor?: string
    }
    answer: {
      id: string
      product: string
      datetime: string
      quality: number | null
    }[]
  }
  /** Un volume polaire : ses balayages et ce qui y a été mesuré */
  "GET /api/radar-volumes/{id}": {
    path: {
      id: string
    }
    answer: {
      id: string
      product: string
      datetime: string
      format: string
      site: {
        name: string
        lat: number
        lng: number
        altitudeM: number
      }
      wavelengthM: number | null
      beamWidthDeg: number | null
      files: string[]
      notes: string[]
      sweeps: {
        elevationDeg: number
        datetime: string
        nrays: number
        nbins: number
        rangeStartM: number
        rangeStepM: number
        fields: {
          stage: "moments" | "rain_echo" | "zdr" | "phase" | "kdp" | "zphi_fixed" | "zphi_self" | "rain" | "clutter" | "corrected" | "classes" | "estimate" | "quality"
          name: string
          unit: string
        }[]
      }[]
    }
  }
  /** Coupe verticale d’une grandeur vers un azimut, à travers tous les balayages */
  "GET /api/radar-volumes/{id}/section": {
    path: {
      id: string
    }
    query: {
      stage?: "moments" | "rain_echo" | "zdr" | "phase" | "kdp" | "zphi_fixed" | "zphi_self" | "rain" | "clutter" | "corrected" | "classes" | "estimate" | "quality"
      name: string
      azimuth: number
    }
    answer: {
      unit: string
      sweeps: {
        elevationDeg: number
        azimuthDeg: number
        rangeStartM: number
        rangeStepM: number
        values: (number | null)[]
      }[]
    }
  }
  /** Ce que chaque étape des corrections a fait d’un volume polaire ; calculé au premier appel */
  "GET /api/radar-volumes/{id}/stages": {
    path: {
      id: string
    }
    answer: {
      notes: string[]
      sweeps: {
        fields: {
          stage: "moments" | "rain_echo" | "zdr" | "phase" | "kdp" | "zphi_fixed" | "zphi_self" | "rain" | "clutter" | "corrected" | "classes" | "estimate" | "quality"
          name: string
          unit: string
        }[]
      }[]
    }
  }
  /** Une grandeur d’un balayage, mesurée ou après une étape des corrections (lot binaire) ; les intensités de pluie aux gestionnaires */
  "GET /api/radar-volumes/{id}/sweeps/{n}/moments/{name}": {
    path: {
      id: string
      n: number
      name: string
    }
    query?: {
      stage?: "moments" | "rain_echo" | "zdr" | "phase" | "kdp" | "zphi_fixed" | "zphi_self" | "rain" | "clutter" | "corrected" | "classes" | "estimate" | "quality"
    }
    answer: unknown
  }
  /** Un rayon d’un balayage, avant et après chaque étape des corrections */
  "GET /api/radar-volumes/{id}/sweeps/{n}/rays/{azimuth}": {
    path: {
      id: string
      n: number
      azimuth: number
    }
    answer: {
      azimuthDeg: number
      rangeStartM: number
      rangeStepM: number
      fields: {
        stage: "moments" | "rain_echo" | "zdr" | "phase" | "kdp" | "zphi_fixed" | "zphi_self" | "rain" | "clutter" | "corrected" | "classes" | "estimate" | "quality"
        name: string
        unit: string
        values: (number | null)[]
      }[]
    }
  }
  /** Un nom de simulation au hasard */
  "GET /api/random": {
    answer: {
      name: string
    }
  }
  /** Rapport d’une période, en blocs */
  "GET /api/reports/event": {
    query: {
      p: string
      s: string
      e: string
      c?: string
      sc?: string
      g?: string
      table?: string
      title?: string
      comment?: string
      adjust?: string
    }
    answer: {
      title: string
      subtitle: string
      fileName: string
      dated: string
      blocks: ({
        kind: "heading"
        text: string
      } | {
        kind: "text"
        text: string
      } | {
        kind: "table"
        caption: string
        head: string[]
        rows: string[][]
      } | {
        kind: "figure"
        caption: string
        alt: string
        png: string
        width: number
        height: number
      })[]
    }
  }
  /** Rapport d’une période, en PDF balisé */
  "GET /api/reports/event.pdf": {
    query: {
      p: string
      s: string
      e: string
      c?: string
      sc?: string
      g?: string
      table?: string
      title?: string
      comment?: string
      adjust?: string
    }
    answer: unknown
  }
  /** Rapport d’une simulation, en blocs */
  "GET /api/reports/run/{jobId}": {
    path: {
      jobId: string
    }
    query?: {
      table?: string
    }
    answer: {
      title: string
      subtitle: string
      fileName: string
      dated: string
      blocks: ({
        kind: "heading"
        text: string
      } | {
        kind: "text"
        text: string
      } | {
        kind: "table"
        caption: string
        head: string[]
        rows: string[][]
      } | {
        kind: "figure"
        caption: string
        alt: string
        png: string
        width: number
        height: number
      })[]
    }
  }
  /** Rapport d’une simulation, en PDF balisé */
  "GET /api/reports/run/{jobId}/{file}": {
    path: {
      jobId: string
      file: string
    }
    query?: {
      table?: string
    }
    answer: unknown
  }
  /** Produits retraités, et les paramètres du site */
  "GET /api/reprocessing": {
    answer: {
      products: {
        shortName: string
        longName: string
        source: string
        start: string
        end: string
        parameters: {
          sweeps?: number
          highestDeg?: number
          noPhase?: "hitschfeld-bordan" | "kraemer" | "modified-kraemer"
          horizon?: {
            fromDeg: number
            toDeg: number
            distanceKm: number
            topDeg: number
          }[]
          alpha?: number
          b?: number
          rainOfA?: {
            a: number
            b: number
          }
        }
        ready: boolean
        jobId: string | null
        madeBy: string
        madeAt: string
        frames: number
      }[]
      site: {
        sweeps?: number
        highestDeg?: number
        noPhase?: "hitschfeld-bordan" | "kraemer" | "modified-kraemer"
        horizon?: {
          fromDeg: number
          toDeg: number
          distanceKm: number
          topDeg: number
        }[]
        alpha?: number
        b?: number
        rainOfA?: {
          a: number
          b: number
        }
      }
    }
  }
  /** Un produit retraité face à celui dont il vient, sur la période et par heure */
  "GET /api/reprocessing/{name}/comparison": {
    path: {
      name: string
    }
    query: {
      s: string
      e: string
    }
    answer: {
      product: string
      source: string
      start: string
      end: string
      onlyOld: number
      whole: {
        frames: number
        cells: number
        dryCells: number
        missingInOld: number
        missingInNew: number
        oldMeanMmH: number | null
        newMeanMmH: number | null
        biasMmH: number | null
        rmseMmH: number | null
        correlation: number | null
      }
      hours: {
        frames: number
        cells: number
        dryCells: number
        missingInOld: number
        missingInNew: number
        oldMeanMmH: number | null
        newMeanMmH: number | null
        biasMmH: number | null
        rmseMmH: number | null
        correlation: number | null
        hour: string
      }[]
    }
  }
  /** Analyse multifractale d’une période : TM, DTM et spectre, par gamme d’échelles */
  "GET /api/scaling/event": {
    query: {
      p: string
      s: string
      e: string
    }
    answer: {
      product: string
      frames: number
      cellM: number
      frameSeconds: number
      window: {
        row: number
        col: number
        side: number
      }
      notesFr: string[]
      space: {
        samples: number
        side: number
        zeroShare: number
        missingShare: number
        points: {
          cells: number[]
          q: number[]
          moments: number[][]
        }
        fits: {
          fromCells: number
          toCells: number
          tm: {
            alpha: number
            c1: number
            r2: number
            k: {
              q: number
              k: number
            }[]
          } | null
          dtm: {
            alpha: number
            c1: number
            r2: number
            k: {
              eta: number
              k: number
            }[]
          } | null
        }[]
      }
      wet: {
        samples: number
        side: number
        zeroShare: number
        missingShare: number
        points: {
          cells: number[]
          q: number[]
          moments: number[][]
        }
        fits: {
          fromCells: number
          toCells: number
          tm: {
            alpha: number
            c1: number
            r2: number
            k: {
              q: number
              k: number
            }[]
          } | null
          dtm: {
            alpha: number
            c1: number
            r2: number
            k: {
              eta: number
              k: number
            }[]
          } | null
        }[]
        wetShare: number
      } | null
      time: {
        samples: number
        side: number
        zeroShare: number
        missingShare: number
        points: {
          cells: number[]
          q: number[]
          moments: number[][]
        }
        fits: {
          fromCells: number
          toCells: number
          tm: {
            alpha: number
            c1: number
            r2: number
            k: {
              q: number
              k: number
            }[]
          } | null
          dtm: {
            alpha: number
            c1: number
            r2: number
            k: {
              eta: number
              k: number
            }[]
          } | null
        }[]
        from: string
      } | null
      spectrum: {
        wavelengthM: number[]
        power: number[]
        fits: {
          fromCells: number
          toCells: number
          beta: number
          r2: number
          h: number | null
        }[]
      } | null
      single: {
        time: string
        zeroShare: number
        missingShare: number
        meanMmH: number | null
        fits: {
          tm: {
            alpha: number
            c1: number
            r2: number
          } | null
          dtm: {
            alpha: number
            c1: number
            r2: number
          } | null
        }[]
      }[]
    }
  }
  /** Couche géographique du compte */
  "GET /api/shapefile/{name}": {
    path: {
      name: string
    }
    answer: {
      name: string
      longName: string
      desc: string
      color: string
      shapefile: {
        type: "FeatureCollection"
        features: {
          type: "Feature"
          properties: Record<string, (string | number | boolean) | null>
          geometry: {
            type: "Point"
            coordinates: number[]
          } | {
            type: "MultiPoint"
            coordinates: number[][]
          } | {
            type: "LineString"
            coordinates: number[][]
          } | {
            type: "MultiLineString"
            coordinates: number[][][]
          } | {
            type: "Polygon"
            coordinates: number[][][]
          } | {
            type: "MultiPolygon"
            coordinates: number[][][][]
          }
        }[]
      }
      bounds: {
        ul: {
          lat: number
          lng: number
        }
        lr: {
          lat: number
          lng: number
        }
      }
    }
  }
  /** Configuration publique du site */
  "GET /api/site": {
    answer: {
      id: string
      name: string
      version: string
      timeZone: string
      demo: boolean
      radar: {
        name: string
        position: {
          lat: number
          lng: number
        }
        altitudeM: number
        rangeKm: number
        wavelengthM: number
        beamwidthDeg: number
      }
      map: {
        center: {
          lat: number
          lng: number
        }
        zoom: number
        minZoom: number
        maxZoom: number
      }
      tiles: {
        kind: "none"
      } | {
        kind: "raster"
        urls: string[]
        attribution: string
        maxZoom: number
      } | {
        kind: "pmtiles"
        path: string
        glyphs?: string
        attribution: string
      }
      products: {
        shortName: string
        longName: string
        activeStatus: boolean
        bounds: {
          ul: {
            lat: number
            lng: number
          }
          lr: {
            lat: number
            lng: number
          }
        }
        steps: number
        frameSeconds: number
        made?: true
      }[]
      defaultProduct: string
      defaultCatchment: string | null
      hasStation: boolean
      microRainRadar: {
        name: string
        position: {
          lat: number
          lng: number
        }
      } | null
      towns: {
        name: string
        position: {
          lat: number
          lng: number
        }
        rank: number
      }[]
      rivers: {
        name: string
        line: number[][]
      }[]
      analytics: {
        url: string
        siteId: string
      } | null
      embedding: boolean
    }
  }
  /** Avancement des acquisitions */
  "GET /api/status": {
    answer: {
      version: string
      demo: {
        active: boolean
        framesDone: number
        framesTotal: number
        filledBackTo: string | null
      }
      latestFrame: string | null
      inbox: {
        waiting: number
        rejected: number
      }
      verification?: {
        at: string
        checked: number
        bytes: number
        sealed: number
        repaired: number
        damaged: number
      } | null
    }
  }
  /** Plus grandes hauteurs par durée d’un bassin et de pixels, avec leur période de retour */
  "GET /api/storms/return-periods": {
    query: {
      p: string
      s: string
      e: string
      c?: string
      sc?: string
      g?: string
      table?: string
      method?: "moved" | "raw"
    }
    answer: {
      table: {
        id: string
        name: string
        note: string
        owner: "site" | "user"
        laws: {
          periodYears: number
          fromMin: number
          toMin: number
          a: number
          b: number
        }[]
        remarksFr?: string[]
      }
      method: "moved" | "raw"
      places: {
        kind: "zone" | "pixel"
        name: string
        totalMm: number
        missingSeconds: number
        depths: {
          durationMin: number
          depthMm: number | null
          from: string
          missingMin: number
          period: {
            kind: "missing" | "outside" | "below" | "above" | "between"
            years: number | null
            label: string
          }
        }[]
      }[]
    }
  }
  /** Lois des maxima annuels de l’archive pour un bassin, là où elle a assez d’années */
  "GET /api/storms/statistics": {
    query: {
      p: string
      c: string
      sc?: string
    }
    answer: {
      years: number[]
      incompleteYears: number[]
      law: "none" | "gumbel" | "gev"
      noteFr: string
      durations: {
        durationMin: number
        maximaMm: number[]
        quantiles: {
          periodYears: number
          depthMm: number
          lowMm: number
          highMm: number
        }[]
      }[]
    }
  }
  /** Tableaux de périodes de retour : ceux du site, puis les siens */
  "GET /api/storms/tables": {
    answer: {
      id: string
      name: string
      note: string
      owner: "site" | "user"
      laws: {
        periodYears: number
        fromMin: number
        toMin: number
        a: number
        b: number
      }[]
      remarksFr?: string[]
    }[]
  }
  /** Ce qui est gardé de son compte */
  "GET /api/users/data": {
    answer: {
      runs: number
      exports: number
      bytes: number
      events: number
      landUses: number
      tables: number
      gauges: number
      networks: number
      catchments: number
      drafts: number
      sessions: number
      auditLines: number
      managers: string[]
    }
  }
  /** Tout ce qui est gardé de son compte, en JSON */
  "GET /api/users/data.json": {
    answer: unknown
  }
  /** Évènements pluvieux enregistrés ; l’en-tête radx-next donne la suite */
  "GET /api/users/events": {
    query?: {
      limit?: number
      cursor?: string
    }
    answer: {
      _id: string
      title: string
      product: string
      selectionDates: {
        start: string
        end: string
      }
      catchment: {
        catchment: string | null
        subcatchment: string | null
      }
      cumul?: number | null
      cumulMethod?: "moved" | "raw"
      cumulWithheld?: boolean
      comment: string
      createdAt: string
      version: number
    }[]
  }
  /** Second facteur de son compte */
  "GET /api/users/security": {
    answer: {
      totp: boolean
      recoveryCodes: number
      passkeys: {
        id: string
        name: string
        createdAt: string
        lastUsedAt: string | null
      }[]
      awaited: boolean
      roles: string[]
      shared: boolean
    }
  }
  /** Dit si la session dure encore, et les rôles en vigueur */
  "GET /api/users/session": {
    answer: {
      roles: string[]
    }
  }
  /** Sessions ouvertes de son compte */
  "GET /api/users/sessions": {
    answer: {
      sessions: {
        id: string
        device: string
        address: string | null
        createdAt: string
        lastUsedAt: string
        expiresAt: string
        current: boolean
      }[]
      idleMinutes: number | null
    }
  }
  /** Jetons d'accès de son compte */
  "GET /api/users/tokens": {
    answer: {
      tokens: {
        id: string
        name: string
        scopes: ("read" | "grids" | "run" | "manage")[]
        from: string | null
        to: string | null
        createdAt: string
        expiresAt: string
        lastUsedAt: string | null
        address: string | null
      }[]
      scopes: ("read" | "grids" | "run" | "manage")[]
    }
  }
  /** Image d'un lien vers la plateforme : la dernière image du radar */
  "GET /cards/direct.png": {
    answer: unknown
  }
  /** Le processus répond */
  "GET /healthz": {
    answer: {
      status: "ok"
    }
  }
  /** Télécharge un GeoTIFF exporté */
  "GET /images/exportgeotiff/{result}": {
    path: {
      result: string
    }
    answer: unknown
  }
  /** Télécharge une grille exportée */
  "GET /images/exportgrid/{result}": {
    path: {
      result: string
    }
    answer: unknown
  }
  /** Dernière image du micro radar */
  "GET /images/mrr/{file}": {
    path: {
      file: string
    }
    query?: {
      scheme?: "light" | "dark"
    }
    answer: unknown
  }
  /** Une image en PNG : ouverte pour le direct, à adresse signée pour l'archive */
  "GET /images/radar/{product}/{file}": {
    path: {
      product: string
      file: string
    }
    query?: {
      x?: number
      k?: string
    }
    answer: unknown
  }
  /** Ouvre un lien court */
  "GET /l/{name}": {
    path: {
      name: string
    }
    answer: unknown
  }
  /** Mesures du service au format texte de Prometheus */
  "GET /metrics": {
    answer: unknown
  }
  /** Accueil de OGC API EDR */
  "GET /ogc/edr": {
    answer: unknown
  }
  /** Produits du radar, par OGC API EDR */
  "GET /ogc/edr/collections": {
    answer: unknown
  }
  /** Un produit du radar, par OGC API EDR */
  "GET /ogc/edr/collections/{id}": {
    path: {
      id: string
    }
    answer: unknown
  }
  /** Cellules dans un polygone au fil du temps (gestionnaires) */
  "GET /ogc/edr/collections/{id}/area": {
    path: {
      id: string
    }
    query: {
      datetime?: string
      "parameter-name"?: string
      crs?: string
      f?: string
      z?: string
      coords: string
    }
    answer: unknown
  }
  /** Cellules dans une emprise au fil du temps (gestionnaires) */
  "GET /ogc/edr/collections/{id}/cube": {
    path: {
      id: string
    }
    query: {
      datetime?: string
      "parameter-name"?: string
      crs?: string
      f?: string
      z?: string
      bbox: string
    }
    answer: unknown
  }
  /** Bassins, et pluviomètres que le compte peut regarder (GeoJSON) */
  "GET /ogc/edr/collections/{id}/locations": {
    path: {
      id: string
    }
    answer: unknown
  }
  /** Pluie moyenne d'un bassin, ou pluie du radar sur un pluviomètre, au fil du temps */
  "GET /ogc/edr/collections/{id}/locations/{location}": {
    path: {
      id: string
      location: string
    }
    query?: {
      datetime?: string
      "parameter-name"?: string
      crs?: string
      f?: string
      z?: string
    }
    answer: unknown
  }
  /** Pluie en un ou plusieurs points au fil du temps (WKT ; suit la règle des pluviomètres) */
  "GET /ogc/edr/collections/{id}/position": {
    path: {
      id: string
    }
    query: {
      datetime?: string
      "parameter-name"?: string
      crs?: string
      f?: string
      z?: string
      coords: string
    }
    answer: unknown
  }
  /** Pluie le long d’un trajet (gestionnaires) */
  "GET /ogc/edr/collections/{id}/trajectory": {
    path: {
      id: string
    }
    query: {
      datetime?: string
      "parameter-name"?: string
      crs?: string
      f?: string
      z?: string
      coords: string
    }
    answer: unknown
  }
  /** Classes de conformité de OGC API EDR */
  "GET /ogc/edr/conformance": {
    answer: unknown
  }
  /** Accueil de OGC API Features */
  "GET /ogc/features": {
    query?: {
      f?: string
    }
    answer: unknown
  }
  /** Description OpenAPI de tous les appels */
  "GET /ogc/features/api": {
    query?: {
      f?: string
    }
    answer: unknown
  }
  /** Collections d’objets que l’on peut voir, par OGC API Features */
  "GET /ogc/features/collections": {
    query?: {
      f?: string
    }
    answer: unknown
  }
  /** Une collection, par OGC API Features */
  "GET /ogc/features/collections/{id}": {
    path: {
      id: string
    }
    query?: {
      f?: string
    }
    answer: unknown
  }
  /** Objets d’une collection, page par page (GeoJSON) */
  "GET /ogc/features/collections/{id}/items": {
    path: {
      id: string
    }
    query?: {
      bbox?: string
      "bbox-crs"?: string
      crs?: string
      datetime?: string
      limit?: number
      offset?: number
      f?: string
    }
    answer: unknown
  }
  /** Un objet d’une collection (GeoJSON) */
  "GET /ogc/features/collections/{id}/items/{item}": {
    path: {
      id: string
      item: string
    }
    query?: {
      crs?: string
      f?: string
    }
    answer: unknown
  }
  /** Classes de conformité de OGC API Features */
  "GET /ogc/features/conformance": {
    query?: {
      f?: string
    }
    answer: unknown
  }
  /** Accueil de OGC API Maps et Tiles */
  "GET /ogc/maps": {
    answer: unknown
  }
  /** Produits du radar, par OGC API Maps */
  "GET /ogc/maps/collections": {
    answer: unknown
  }
  /** Un produit du radar, par OGC API Maps */
  "GET /ogc/maps/collections/{id}": {
    path: {
      id: string
    }
    answer: unknown
  }
  /** Une image d’un produit en classes d’intensité, ou de l’eau d’une simulation en classes de hauteur (PNG) */
  "GET /ogc/maps/collections/{id}/map": {
    path: {
      id: string
    }
    query?: {
      bbox?: string
      "bbox-crs"?: string
      crs?: string
      width?: number
      height?: number
      datetime?: string
      transparent?: "true" | "false"
      bgcolor?: string
      f?: string
    }
    answer: unknown
  }
  /** Tuiles d’un produit : leurs découpages */
  "GET /ogc/maps/collections/{id}/map/tiles": {
    path: {
      id: string
    }
    answer: unknown
  }
  /** Tuiles d’un produit dans un découpage */
  "GET /ogc/maps/collections/{id}/map/tiles/{tileMatrixSet}": {
    path: {
      id: string
      tileMatrixSet: string
    }
    answer: unknown
  }
  /** Une tuile d’un produit, ou de l’eau d’une simulation (PNG) */
  "GET /ogc/maps/collections/{id}/map/tiles/{tileMatrixSet}/{tileMatrix}/{tileRow}/{tileCol}": {
    path: {
      id: string
      tileMatrixSet: string
      tileMatrix: string
      tileRow: string
      tileCol: string
    }
    query?: {
      datetime?: string
      f?: string
    }
    answer: unknown
  }
  /** Classes de conformité de OGC API Maps et Tiles */
  "GET /ogc/maps/conformance": {
    answer: unknown
  }
  /** Découpages en tuiles qui sont servis */
  "GET /ogc/maps/tileMatrixSets": {
    answer: unknown
  }
  /** Un découpage en tuiles */
  "GET /ogc/maps/tileMatrixSets/{tileMatrixSet}": {
    path: {
      tileMatrixSet: string
    }
    answer: unknown
  }
  /** Catalogue STAC */
  "GET /ogc/stac": {
    answer: unknown
  }
  /** Collections du catalogue STAC : produits du radar, simulations */
  "GET /ogc/stac/collections": {
    answer: unknown
  }
  /** Une collection du catalogue STAC */
  "GET /ogc/stac/collections/{id}": {
    path: {
      id: string
    }
    answer: unknown
  }
  /** Images d’un produit, ou simulations, page par page (STAC) */
  "GET /ogc/stac/collections/{id}/items": {
    path: {
      id: string
    }
    query?: {
      bbox?: string
      datetime?: string
      limit?: number
      token?: string
    }
    answer: unknown
  }
  /** Une image ou une simulation (STAC) */
  "GET /ogc/stac/collections/{id}/items/{item}": {
    path: {
      id: string
      item: string
    }
    answer: unknown
  }
  /** Classes de conformité du catalogue STAC */
  "GET /ogc/stac/conformance": {
    answer: unknown
  }
  /** Recherche dans le catalogue STAC */
  "GET /ogc/stac/search": {
    query?: {
      bbox?: string
      datetime?: string
      limit?: number
      token?: string
      ids?: string
      collections?: string
      intersects?: string
    }
    answer: unknown
  }
  /** Images du radar par WMS */
  "GET /ogc/wms": {
    query?: {
      type?: unknown
      additionalProperties?: string | string[]
    }
    answer: unknown
  }
  /** Tuiles du radar par WMTS */
  "GET /ogc/wmts": {
    query?: {
      type?: unknown
      additionalProperties?: string | string[]
    }
    answer: unknown
  }
  /** Ce que sert WMTS */
  "GET /ogc/wmts/1.0.0/WMTSCapabilities.xml": {
    answer: unknown
  }
  /** Une tuile par WMTS, à son adresse */
  "GET /ogc/wmts/1.0.0/{layer}/{style}/{time}/{tileMatrixSet}/{tileMatrix}/{tileRow}/{file}": {
    path: {
      layer: string
      style: string
      time: string
      tileMatrixSet: string
      tileMatrix: string
      tileRow: string
      file: string
    }
    answer: unknown
  }
  /** Un tableau de ces grilles, bloc par bloc (gestionnaires) */
  "GET /ogc/zarr/{id}/{start}/{end}/{array}/{key}": {
    path: {
      id: string
      start: string
      end: string
      key: string
      array: string
    }
    answer: unknown
  }
  /** Grilles exactes d’une période en Zarr, par HTTP et par parties (gestionnaires) */
  "GET /ogc/zarr/{id}/{start}/{end}/{key}": {
    path: {
      id: string
      start: string
      end: string
      key: string
    }
    answer: unknown
  }
  /** Le service peut travailler (base de données et file de calculs présentes) */
  "GET /readyz": {
    answer: {
      status: "ready"
      details: {
        verification: {
          at: string
          checked: number
          bytes: number
          sealed: number
          repaired: number
          damaged: number
        } | null
      }
    }
  }
  /** Crée un compte et le lien qui pose son mot de passe */
  "POST /api/admin/accounts": {
    body: {
      name: string
      roles: ("manager" | "catchments")[]
      restriction: {
        start: string | null
        end: string | null
      }
      shapefiles: string[]
    }
    answer: {
      token: string
      expiresAt: string
    }
  }
  /** Ferme un compte et ses sessions */
  "POST /api/admin/accounts/{id}/disable": {
    path: {
      id: string
    }
    answer: {
      done: true
    }
  }
  /** Rouvre un compte */
  "POST /api/admin/accounts/{id}/enable": {
    path: {
      id: string
    }
    answer: {
      done: true
    }
  }
  /** Ferme les sessions d’un compte */
  "POST /api/admin/accounts/{id}/end-sessions": {
    path: {
      id: string
    }
    answer: {
      done: true
    }
  }
  /** Fait un lien qui remplace une fois le mot de passe d’un compte */
  "POST /api/admin/accounts/{id}/link": {
    path: {
      id: string
    }
    answer: {
      token: string
      expiresAt: string
    }
  }
  /** Retire le second facteur d’un compte */
  "POST /api/admin/accounts/{id}/remove-factors": {
    path: {
      id: string
    }
    answer: {
      done: true
    }
  }
  /** Relance un calcul en échec */
  "POST /api/admin/jobs/{id}/retry": {
    path: {
      id: string
    }
    answer: {
      done: true
    }
  }
  /** Confirme l’adresse par son code */
  "POST /api/alerts/person/confirm": {
    body: {
      code: string
    }
    answer: {
      email: string | null
      confirmed: boolean
      quiet: {
        from: string
        to: string
      } | null
      shared: boolean
      hasMail: boolean
      pushKey: string
      devices: {
        id: string
        label: string
        created: string
      }[]
      webhooks: {
        id: string
        name: string
      }[]
    }
  }
  /** Abonne un navigateur aux alertes (Web Push) */
  "POST /api/alerts/push": {
    body: {
      endpoint: string
      keys: {
        p256dh: string
        auth: string
      }
    }
    answer: {
      email: string | null
      confirmed: boolean
      quiet: {
        from: string
        to: string
      } | null
      shared: boolean
      hasMail: boolean
      pushKey: string
      devices: {
        id: string
        label: string
        created: string
      }[]
      webhooks: {
        id: string
        name: string
      }[]
    }
  }
  /** Ajoute une règle d’alerte */
  "POST /api/alerts/rules": {
    body: {
      name: string
      measure: {
        kind: "rain-rate"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
      } | {
        kind: "rain-total"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
        minutes: number
      } | {
        kind: "rain-return"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
        table: string | null
      } | {
        kind: "rain-chance"
        lat: number
        lng: number
        aboveMmH: 0.4 | 3 | 10
        withinMin: number
      } | {
        kind: "flood-cell"
        catchmentId: string
        cell: number
        where?: string
        aboveMm: 50 | 200 | 500
        withinMin: number
      } | {
        kind: "flood-node"
        catchmentId: string
        name: string
        withinMin: number
      } | {
        kind: "flood-link"
        catchmentId: string
        name: string
        withinMin: number
      } | {
        kind: "radar-down"
        product: string
      } | {
        kind: "gauge-stuck"
        gauge: string
        minutes: number
      } | {
        kind: "no-cycle"
        catchmentId: string
      }
      threshold: number
      clear: number
      minMinutes: number
      severity: "info" | "warning" | "critical"
      escalateMin: number | null
      enabled: boolean
      notify?: {
        email: boolean
        push: boolean
        webhooks: string[]
      }
      quiet?: {
        from: string
        to: string
      } | null
      version?: number
    }
    answer: {
      name: string
      measure: {
        kind: "rain-rate"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
      } | {
        kind: "rain-total"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
        minutes: number
      } | {
        kind: "rain-return"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
        table: string | null
      } | {
        kind: "rain-chance"
        lat: number
        lng: number
        aboveMmH: 0.4 | 3 | 10
        withinMin: number
      } | {
        kind: "flood-cell"
        catchmentId: string
        cell: number
        where?: string
        aboveMm: 50 | 200 | 500
        withinMin: number
      } | {
        kind: "flood-node"
        catchmentId: string
        name: string
        withinMin: number
      } | {
        kind: "flood-link"
        catchmentId: string
        name: string
        withinMin: number
      } | {
        kind: "radar-down"
        product: string
      } | {
        kind: "gauge-stuck"
        gauge: string
        minutes: number
      } | {
        kind: "no-cycle"
        catchmentId: string
      }
      threshold: number
      clear: number
      minMinutes: number
      severity: "info" | "warning" | "critical"
      escalateMin: number | null
      enabled: boolean
      notify: {
        email: boolean
        push: boolean
        webhooks: string[]
      }
      quiet: {
        from: string
        to: string
      } | null
      version: number
      id: string
      phase: "off" | "below" | "pending" | "raised" | "blind"
      value: number | null
      valueAt: string | null
      seen: string | null
    }
  }
  /** Ajoute un webhook ; la réponse seule donne la clé de signature */
  "POST /api/alerts/webhooks": {
    body: {
      name: string
      url: string
    }
    answer: {
      name: string
      url: string
      id: string
      by: string
      created: string
      lastSent: string | null
      lastError: string | null
      secret: string
    }
  }
  /** Appelle un webhook pour essai */
  "POST /api/alerts/webhooks/{id}/test": {
    path: {
      id: string
    }
    answer: {
      ok: boolean
      error: string | null
    }
  }
  /** Prend une alerte en charge */
  "POST /api/alerts/{id}/acknowledge": {
    path: {
      id: string
    }
    answer: {
      id: string
      ruleId: string
      rule: string
      kind: "rain-rate" | "rain-total" | "rain-return" | "rain-chance" | "flood-cell" | "flood-node" | "flood-link" | "radar-down" | "gauge-stuck" | "no-cycle"
      cause: "crossing" | "missing"
      severity: "info" | "warning" | "critical"
      threshold: number
      crossing: string
      raised: string
      value: number | null
      peak: number | null
      last: number | null
      reason: string
      acknowledged: string | null
      snoozedUntil: string | null
      escalated: string | null
      ended: string | null
      endedBy: ("value" | "person" | "rule") | null
    }
  }
  /** Termine une alerte ; un nouveau passage du seuil en fera une autre */
  "POST /api/alerts/{id}/end": {
    path: {
      id: string
    }
    answer: {
      id: string
      ruleId: string
      rule: string
      kind: "rain-rate" | "rain-total" | "rain-return" | "rain-chance" | "flood-cell" | "flood-node" | "flood-link" | "radar-down" | "gauge-stuck" | "no-cycle"
      cause: "crossing" | "missing"
      severity: "info" | "warning" | "critical"
      threshold: number
      crossing: string
      raised: string
      value: number | null
      peak: number | null
      last: number | null
      reason: string
      acknowledged: string | null
      snoozedUntil: string | null
      escalated: string | null
      ended: string | null
      endedBy: ("value" | "person" | "rule") | null
    }
  }
  /** Met une alerte en veille pour un temps */
  "POST /api/alerts/{id}/snooze": {
    path: {
      id: string
    }
    body: {
      minutes: number
    }
    answer: {
      id: string
      ruleId: string
      rule: string
      kind: "rain-rate" | "rain-total" | "rain-return" | "rain-chance" | "flood-cell" | "flood-node" | "flood-link" | "radar-down" | "gauge-stuck" | "no-cycle"
      cause: "crossing" | "missing"
      severity: "info" | "warning" | "critical"
      threshold: number
      crossing: string
      raised: string
      value: number | null
      peak: number | null
      last: number | null
      reason: string
      acknowledged: string | null
      snoozedUntil: string | null
      escalated: string | null
      ended: string | null
      endedBy: ("value" | "person" | "rule") | null
    }
  }
  /** Garde le bassin construit parmi ses bassins versants */
  "POST /api/builder/builds/{buildId}/catchment": {
    path: {
      buildId: string
    }
    answer: {
      id: string
      display: string
      outcome: "imported" | "known"
      warnings: string[]
    }
  }
  /** Commence la construction d’un bassin versant */
  "POST /api/builder/drafts": {
    body: {
      name: string
    }
    answer: {
      id: string
    }
  }
  /** Construit le bassin versant, en tâche de fond */
  "POST /api/builder/drafts/{id}/builds": {
    path: {
      id: string
    }
    answer: {
      jobId: string
    }
  }
  /** Ajoute un fichier de sources, ou remplace celui de ce nom */
  "POST /api/builder/drafts/{id}/files": {
    path: {
      id: string
    }
    query: {
      name: string
    }
    answer: {
      name: string
      holds: {
        raster?: {
          ncols: number
          nrows: number
          cellSize: number
          crs: string | null
          box: number[]
          values: {
            value: string
            count: number
          }[] | null
        }
        layers?: {
          name: string | null
          geometry: "points" | "lines" | "polygons" | "none"
          features: number
          crs: string | null
          box: number[] | null
          columns: {
            name: string
            values: {
              value: string
              count: number
            }[] | null
          }[]
        }[]
        network?: {
          nodes: number
          links: number
          box: number[] | null
        }
        table?: {
          columns: string[]
          rows: number
        }
      }
    }
  }
  /** Lance un calage : paramètres et bornes, calculs terminés comme épisodes, mesures */
  "POST /api/calibrations": {
    body: {
      name: string
      catchmentId: string
      events: {
        jobId: string
        use: "calibration" | "validation"
      }[]
      observations: string[]
      parameters: {
        kind: "roughness" | "kh" | "imperviousness" | "gullyEfficiency" | "sewerRoughness"
        code?: number
        min: number
        max: number
        scale?: "linear" | "log"
      }[]
      objective: "nse" | "kge"
      runs: number
      seed: number
    }
    answer: {
      id: string
      jobId: string
    }
  }
  /** Reprend un calage annulé ou échoué là où il en était */
  "POST /api/calibrations/{id}/resume": {
    path: {
      id: string
    }
    answer: {
      id: string
      jobId: string
    }
  }
  /** Ajoute un bassin versant à soi : le zip de son dossier */
  "POST /api/catchment-packages": {
    query: {
      name: string
      into?: string
    }
    answer: {
      id: string
      display: string
      outcome: "imported" | "known"
      warnings: string[]
    }
  }
  /** Écarte ou garde une période d’un pluviomètre */
  "POST /api/gauges/{id}/flags": {
    path: {
      id: string
    }
    body: {
      start: string
      end: string
      kind: "exclude" | "keep"
      reason: string
    }
    answer: {
      id: string
      gauge: string
      start: string
      end: string
      kind: "exclude" | "keep"
      reason: string
      author: string
      setAt: string
      removedBy: string | null
      removedAt: string | null
    }
  }
  /** Essaie une règle sur une période de l’archive (tâche) : détections, manques, fausses alertes */
  "POST /api/job/alert-replay": {
    body: {
      rule: {
        measure: {
          kind: "rain-rate"
          product: string
          place: {
            kind: "zone"
            catchment: string
            subcatchment: string | null
          } | {
            kind: "point"
            lat: number
            lng: number
          }
        } | {
          kind: "rain-total"
          product: string
          place: {
            kind: "zone"
            catchment: string
            subcatchment: string | null
          } | {
            kind: "point"
            lat: number
            lng: number
          }
          minutes: number
        } | {
          kind: "rain-return"
          product: string
          place: {
            kind: "zone"
            catchment: string
            subcatchment: string | null
          } | {
            kind: "point"
            lat: number
            lng: number
          }
          table: string | null
        } | {
          kind: "rain-chance"
          lat: number
          lng: number
          aboveMmH: 0.4 | 3 | 10
          withinMin: number
        } | {
          kind: "flood-cell"
          catchmentId: string
          cell: number
          where?: string
          aboveMm: 50 | 200 | 500
          withinMin: number
        } | {
          kind: "flood-node"
          catchmentId: string
          name: string
          withinMin: number
        } | {
          kind: "flood-link"
          catchmentId: string
          name: string
          withinMin: number
        } | {
          kind: "radar-down"
          product: string
        } | {
          kind: "gauge-stuck"
          gauge: string
          minutes: number
        } | {
          kind: "no-cycle"
          catchmentId: string
        }
        threshold: number
        clear: number
        minMinutes: number
      }
      start: string
      end: string
      event: {
        measure: {
          kind: "rain-rate"
          product: string
          place: {
            kind: "zone"
            catchment: string
            subcatchment: string | null
          } | {
            kind: "point"
            lat: number
            lng: number
          }
        } | {
          kind: "rain-total"
          product: string
          place: {
            kind: "zone"
            catchment: string
            subcatchment: string | null
          } | {
            kind: "point"
            lat: number
            lng: number
          }
          minutes: number
        } | {
          kind: "rain-return"
          product: string
          place: {
            kind: "zone"
            catchment: string
            subcatchment: string | null
          } | {
            kind: "point"
            lat: number
            lng: number
          }
          table: string | null
        } | {
          kind: "rain-chance"
          lat: number
          lng: number
          aboveMmH: 0.4 | 3 | 10
          withinMin: number
        } | {
          kind: "flood-cell"
          catchmentId: string
          cell: number
          where?: string
          aboveMm: 50 | 200 | 500
          withinMin: number
        } | {
          kind: "flood-node"
          catchmentId: string
          name: string
          withinMin: number
        } | {
          kind: "flood-link"
          catchmentId: string
          name: string
          withinMin: number
        } | {
          kind: "radar-down"
          product: string
        } | {
          kind: "gauge-stuck"
          gauge: string
          minutes: number
        } | {
          kind: "no-cycle"
          catchmentId: string
        }
        threshold: number
        windowMin: number
      }
    }
    answer: {
      id: string
      _id: string
      kind: string
      username: string
      date: string
      status: "pending" | "running" | "done" | "error"
      input: Record<string, unknown>
      result: unknown
      progress: {
        value: number
        max: number
      }
      msg: string
      msgDate: string | null
      logs: {
        at: string
        line: string
      }[]
      error: string | null
      output: {
        error: string | null
      }
      delay: number | null
      cancelled: boolean
      attempts: number
      queuePlace: number | null
    }
  }
  /** Une image en GeoTIFF (tâche) */
  "POST /api/job/exportgeotiff": {
    body: {
      product: string
      date: string
      epsg?: 4326 | 2154
      adjust?: string
      ws?: string
      we?: string
    }
    answer: {
      id: string
      _id: string
      kind: string
      username: string
      date: string
      status: "pending" | "running" | "done" | "error"
      input: Record<string, unknown>
      result: unknown
      progress: {
        value: number
        max: number
      }
      msg: string
      msgDate: string | null
      logs: {
        at: string
        line: string
      }[]
      error: string | null
      output: {
        error: string | null
      }
      delay: number | null
      cancelled: boolean
      attempts: number
      queuePlace: number | null
    }
  }
  /** Une période en CF-netCDF4, Zarr v3 ou composites ODIM (tâche) */
  "POST /api/job/exportgrid": {
    body: {
      product: string
      start: string
      end: string
      format: "netcdf" | "zarr" | "odim"
      adjust?: string
    }
    answer: {
      id: string
      _id: string
      kind: string
      username: string
      date: string
      status: "pending" | "running" | "done" | "error"
      input: Record<string, unknown>
      result: unknown
      progress: {
        value: number
        max: number
      }
      msg: string
      msgDate: string | null
      logs: {
        at: string
        line: string
      }[]
      error: string | null
      output: {
        error: string | null
      }
      delay: number | null
      cancelled: boolean
      attempts: number
      queuePlace: number | null
    }
  }
  /** Lance une simulation (formulaire multipart) */
  "POST /api/job/multihydro": {
    answer: {
      jobId: string
      id: string
    }
  }
  /** Refait et note les prévisions d'une période de l'archive (tâche) */
  "POST /api/job/nowcast": {
    body: {
      start: string
      end: string
      members?: boolean
    }
    answer: {
      id: string
      _id: string
      kind: string
      username: string
      date: string
      status: "pending" | "running" | "done" | "error"
      input: Record<string, unknown>
      result: unknown
      progress: {
        value: number
        max: number
      }
      msg: string
      msgDate: string | null
      logs: {
        at: string
        line: string
      }[]
      error: string | null
      output: {
        error: string | null
      }
      delay: number | null
      cancelled: boolean
      attempts: number
      queuePlace: number | null
    }
  }
  /** Refait la prévision d'un moment de l'archive et la garde (tâche) */
  "POST /api/job/nowcast/moment": {
    body: {
      issued: string
      members?: boolean
    }
    answer: {
      id: string
      _id: string
      kind: string
      username: string
      date: string
      status: "pending" | "running" | "done" | "error"
      input: Record<string, unknown>
      result: unknown
      progress: {
        value: number
        max: number
      }
      msg: string
      msgDate: string | null
      logs: {
        at: string
        line: string
      }[]
      error: string | null
      output: {
        error: string | null
      }
      delay: number | null
      cancelled: boolean
      attempts: number
      queuePlace: number | null
    }
  }
  /** Retraite les volumes gardés d’une période avec d’autres paramètres, en un produit à part (tâche) */
  "POST /api/job/reprocessing": {
    body: {
      source: string
      start: string
      end: string
      name: string
      longName?: string
      parameters?: {
        sweeps?: number
        highestDeg?: number
        noPhase?: "hitschfeld-bordan" | "kraemer" | "modified-kraemer"
        horizon?: {
          fromDeg: number
          toDeg: number
          distanceKm: number
          topDeg: number
        }[]
        alpha?: number
        b?: number
        rainOfA?: {
          a: number
          b: number
        }
      }
      replace?: boolean
    }
    answer: {
      id: string
      _id: string
      kind: string
      username: string
      date: string
      status: "pending" | "running" | "done" | "error"
      input: Record<string, unknown>
      result: unknown
      progress: {
        value: number
        max: number
      }
      msg: string
      msgDate: string | null
      logs: {
        at: string
        line: string
      }[]
      error: string | null
      output: {
        error: string | null
      }
      delay: number | null
      cancelled: boolean
      attempts: number
      queuePlace: number | null
    }
  }
  /** Et si, maintenant : la suite d’une prévision avec un réglage du réseau ou un sol changé */
  "POST /api/job/what-if": {
    body: {
      catchmentId: string
      issued: string
      title?: string
      luseId: string | null
      settings: {
        name: string
        setting: number
      }[]
    }
    answer: {
      changed: string
      unchanged: string
    }
  }
  /** Annule un calcul en attente ou en cours */
  "POST /api/job/{id}/cancel": {
    path: {
      id: string
    }
    answer: {
      id: string
      _id: string
      kind: string
      username: string
      date: string
      status: "pending" | "running" | "done" | "error"
      input: Record<string, unknown>
      result: unknown
      progress: {
        value: number
        max: number
      }
      msg: string
      msgDate: string | null
      logs: {
        at: string
        line: string
      }[]
      error: string | null
      output: {
        error: string | null
      }
      delay: number | null
      cancelled: boolean
      attempts: number
      queuePlace: number | null
    }
  }
  /** Fait un lien court vers une page de la plateforme */
  "POST /api/links": {
    body: {
      path: string
      name?: string
      days?: number
    }
    answer: {
      name: string
      path: string
      createdAt: string
      expiresAt: string
    }
  }
  /** Commande une batterie : chaque pluie sur chaque carte d’occupation des sols */
  "POST /api/multihydro/batteries": {
    body: {
      title: string
      catchmentId: string
      fields?: Record<string, string>
      rains: {
        title: string
        fields: Record<string, string>
      }[]
      landUses: string[]
    }
    answer: {
      id: string
    }
  }
  /** Annule ce qui reste d’une batterie ; les simulations terminées restent */
  "POST /api/multihydro/batteries/{id}/cancel": {
    path: {
      id: string
    }
    answer: {
      id: string
      title: string
      username: string
      date: string
      catchmentId: string
      rains: string[]
      landUses: {
        id: string
        name: string
      }[]
      ordered: number
      done: number
      failed: number
      open: number
      progress: number
      runs: {
        jobId: string
        rain: number
        landUse: number
        status: "pending" | "running" | "done" | "error"
        cancelled: boolean
        error: string | null
        figures: {
          durationS: number
          deepest: {
            depthM: number
            row: number
            col: number
          } | null
          flooded: {
            fromM: number
            areaM2: number
          }[]
          sewer: {
            nodes: number
            links: number
            overflowing: number
            overflowM3: number
            worstNode: string | null
            surcharged: number
            worstLink: string | null
            outfallM3: number
            largestOutfall: string | null
          } | null
          outfallPeak: {
            flowM3S: number
            timeS: number
            meanS: number
          } | null
          rainMm: number
          infiltratedMm: number
          interceptedMm: number
          rainPeak: {
            rateMmH: number
            timeS: number
            meanS: number
          } | null
          relativeError: number
        } | null
        withheld: string | null
      }[]
    }
  }
  /** Ajoute un bassin versant à la plateforme, pour tous : le zip de son dossier */
  "POST /api/multihydro/catchments": {
    query: {
      name: string
    }
    answer: {
      id: string
      display: string
      outcome: "imported" | "known"
      warnings: string[]
    }
  }
  /** Ajoute une pluie à soi : un zip d’images radar, coupées au bassin versant */
  "POST /api/multihydro/rains": {
    query: {
      catchmentId: string
      name: string
    }
    answer: {
      id: string
      name: string
      catchmentId: string
      createdAt: string
      start: string
      end: string
      pictures: number
      stepS: number
      cellM: number | null
      coveredShare: number
      missingShare: number
      totalMm: number
      meanMaxMmH: number
      cellMaxMmH: number
      remarksFr: string[]
      minutesMmH: number[]
      totals: (number | null)[][]
    }
  }
  /** Ajoute un réseau : un .inp, ou un zip d’un .inp et des fichiers qu’il nomme */
  "POST /api/networks": {
    query: {
      name: string
    }
    answer: {
      id: string
      name: string
      version: number
      isNew: boolean
      warnings: string[]
    }
  }
  /** Compare un calcul à un résultat d’EPA SWMM (.rpt ou .out), qui n’est pas gardé */
  "POST /api/networks/runs/{jobId}/compare": {
    path: {
      jobId: string
    }
    query: {
      name: string
    }
    answer: {
      name: string
      sampled: boolean
      doubts: string[]
      links: {
        unit: string
        common: number
        ranked: number
        medianPercent: number
        p95Percent: number
        rows: {
          name: string
          kind: string
          theirs: number
          ours: number
          difference: number | null
          doubtful: boolean
        }[]
      }
      nodes: {
        unit: string
        common: number
        ranked: number
        medianPercent: number
        p95Percent: number
        rows: {
          name: string
          kind: string
          theirs: number
          ours: number
          difference: number | null
          doubtful: boolean
        }[]
      }
      runoffPeaks: {
        unit: string
        common: number
        ranked: number
        medianPercent: number
        p95Percent: number
        rows: {
          name: string
          kind: string
          theirs: number
          ours: number
          difference: number | null
          doubtful: boolean
        }[]
      }
      runoffDepths: {
        unit: string
        common: number
        ranked: number
        medianPercent: number
        p95Percent: number
        rows: {
          name: string
          kind: string
          theirs: number
          ours: number
          difference: number | null
          doubtful: boolean
        }[]
      }
    }
  }
  /** Lance le calcul d’une version : sa pluie, un CSV, une pluie de projet ou une période radar */
  "POST /api/networks/{id}/runs": {
    path: {
      id: string
    }
    body: {
      version: number
      rain: {
        kind: "own"
      } | {
        kind: "none"
      } | {
        kind: "csv"
        name: string
        text: string
      } | {
        kind: "series"
        name: string
        stepS: number
        mmH: number[]
      } | {
        kind: "radar"
        product: string
        catchment?: string
        start: string
        end: string
      }
      implicit?: boolean
      hours?: number
    }
    answer: {
      id: string
    }
  }
  /** Ajoute une version à un réseau */
  "POST /api/networks/{id}/versions": {
    path: {
      id: string
    }
    query: {
      name: string
    }
    answer: {
      id: string
      name: string
      version: number
      isNew: boolean
      warnings: string[]
    }
  }
  /** Garde une colonne d’un fichier de mesures à son lieu sur un bassin */
  "POST /api/observations": {
    body: {
      fileName: string
      csv: string
      timeZone: string
      catchmentId: string
      name: string
      column: string
      place: {
        kind: "node"
        name: string
      } | {
        kind: "link"
        name: string
      } | {
        kind: "street"
        name: string
      } | {
        kind: "point"
        x: number
        y: number
      } | {
        kind: "lnglat"
        lng: number
        lat: number
      }
      quantity: "flow" | "depth" | "level"
      unit: "m3/s" | "l/s" | "m3/h" | "m" | "cm" | "mm"
    }
    answer: {
      id: string
      username: string
      catchmentId: string
      name: string
      fileName: string
      place: {
        kind: "node"
        name: string
      } | {
        kind: "link"
        name: string
      } | {
        kind: "street"
        name: string
      } | {
        kind: "point"
        x: number
        y: number
      }
      quantity: "flow" | "depth" | "level"
      unit: "m3/s" | "l/s" | "m3/h" | "m" | "cm" | "mm"
      timeZone: string
      first: string
      last: string
      count: number
      missing: number
      createdAt: string
    }
  }
  /** Ce qu’un fichier de mesures contient : colonnes, unités, période, lacunes ; rien n’est gardé */
  "POST /api/observations/columns": {
    body: {
      fileName: string
      csv: string
      timeZone: string
    }
    answer: {
      first: string
      last: string
      count: number
      stepS: number
      gaps: number
      columns: {
        name: string
        unit: ("m3/s" | "l/s" | "m3/h" | "m" | "cm" | "mm") | null
        quantity: ("flow" | "depth" | "level") | null
        missing: number
      }[]
      remarksFr: string[]
    }
  }
  /** Efface son compte et ce qui en est gardé */
  "POST /api/users/erase": {
    body: {
      password: string
      after: {
        runs: "delete"
      } | {
        runs: "hand"
        to: string
      }
    }
    answer: {
      done: true
    }
  }
  /** Ouvre une session */
  "POST /api/users/login": {
    body: {
      username: string
      password: string
      device?: string
      code?: string
    }
    answer: {
      name: string
      token: string
      expiresIn: number
      device: string
      roles: string[]
      avatar: string | null
      restriction: {
        start: string | null
        end: string | null
      }
      shapefiles: {
        name: string
        color: string
      }[]
      csv: "semicolon" | "comma"
    }
  }
  /** Ouvre une session avec une clé d’accès */
  "POST /api/users/login/passkey": {
    body: {
      device?: string
      response: {
        id: string
        rawId: string
        type: "public-key"
        authenticatorAttachment?: string
        clientExtensionResults: Record<string, unknown>
        response: {
          clientDataJSON: string
          authenticatorData: string
          signature: string
          userHandle?: string
        }
      }
    }
    answer: {
      name: string
      token: string
      expiresIn: number
      device: string
      roles: string[]
      avatar: string | null
      restriction: {
        start: string | null
        end: string | null
      }
      shapefiles: {
        name: string
        color: string
      }[]
      csv: "semicolon" | "comma"
    }
  }
  /** Prépare une connexion avec une clé d’accès */
  "POST /api/users/login/passkey/options": {
    answer: {
      options: string
    }
  }
  /** Termine la session */
  "POST /api/users/logout": {
    answer: {
      loggedOut: true
    }
  }
  /** Ajoute une clé d’accès à son compte */
  "POST /api/users/passkeys": {
    body: {
      name: string
      response: {
        id: string
        rawId: string
        type: "public-key"
        authenticatorAttachment?: string
        clientExtensionResults: Record<string, unknown>
        response: {
          clientDataJSON: string
          attestationObject: string
          transports?: string[]
        }
      }
    }
    answer: {
      codes: string[]
    }
  }
  /** Prépare une clé d’accès pour son compte */
  "POST /api/users/passkeys/options": {
    body: {
      password: string
    }
    answer: {
      options: string
    }
  }
  /** Retire une clé d’accès de son compte */
  "POST /api/users/passkeys/remove": {
    body: {
      password: string
      id: string
    }
    answer: {
      done: true
    }
  }
  /** Pose le mot de passe d’un compte avec son lien */
  "POST /api/users/password-link": {
    body: {
      token: string
      password: string
    }
    answer: {
      name: string
    }
  }
  /** Refait ses codes de secours ; les anciens ne valent plus rien */
  "POST /api/users/recovery-codes": {
    body: {
      password: string
    }
    answer: {
      codes: string[]
    }
  }
  /** Crée un jeton d'accès, montré une seule fois */
  "POST /api/users/tokens": {
    body: {
      name: string
      scopes: ("read" | "grids" | "run" | "manage")[]
      days?: number
      from?: string | null
      to?: string | null
    }
    answer: {
      token: string
      created: {
        id: string
        name: string
        scopes: ("read" | "grids" | "run" | "manage")[]
        from: string | null
        to: string | null
        createdAt: string
        expiresAt: string
        lastUsedAt: string | null
        address: string | null
      }
    }
  }
  /** Commence la mise en place d’une application de codes */
  "POST /api/users/totp": {
    body: {
      password: string
    }
    answer: {
      address: string
      secret: string
      qr: string
    }
  }
  /** Retire l’application de codes de son compte */
  "POST /api/users/totp/remove": {
    body: {
      password: string
    }
    answer: {
      done: true
    }
  }
  /** Recherche dans le catalogue STAC, par formulaire */
  "POST /ogc/stac/search": {
    body: {
      bbox?: number[]
      datetime?: string
      limit?: number
      token?: string
      ids?: string[]
      collections?: string[]
      intersects?: {
        type: "Point"
        coordinates: number[]
      } | {
        type: "LineString"
        coordinates: number[][]
      } | {
        type: "Polygon"
        coordinates: number[][][]
      } | {
        type: "MultiPolygon"
        coordinates: number[][][][]
      }
    }
    answer: unknown
  }
  /** Change les rôles, les dates et les couches d’un compte */
  "PUT /api/admin/accounts/{id}": {
    path: {
      id: string
    }
    body: {
      version: number
      roles: ("manager" | "catchments")[]
      restriction: {
        start: string | null
        end: string | null
      }
      shapefiles: string[]
    }
    answer: {
      done: true
    }
  }
  /** Met en marche ou arrête la prévision d’inondation d’un bassin */
  "PUT /api/ahead/{catchmentId}": {
    path: {
      catchmentId: string
    }
    body: {
      enabled: boolean
    }
    answer: {
      now: string
      catchments: {
        id: string
        display: string
        enabled: boolean
        newest: {
          issued: string
          status: "state" | "members" | "gather" | "done" | "failed" | "skipped"
          reason: string | null
          dry: boolean
          finished: string | null
          delayS: number | null
          skipped: number
          missingShare: number | null
        } | null
        current: {
          issued: string
          status: "state" | "members" | "gather" | "done" | "failed" | "skipped"
          reason: string | null
          dry: boolean
          finished: string | null
          delayS: number | null
          skipped: number
          missingShare: number | null
        } | null
        failed: {
          issued: string
          status: "state" | "members" | "gather" | "done" | "failed" | "skipped"
          reason: string | null
          dry: boolean
          finished: string | null
          delayS: number | null
          skipped: number
          missingShare: number | null
        } | null
        wait: ("starting" | "first-frame" | "no-frame" | "no-nowcast" | "computing") | null
        newestFrame: string | null
      }[]
    }
  }
  /** Adresse et heures calmes ; une autre adresse reçoit un code de confirmation */
  "PUT /api/alerts/person": {
    body: {
      email: string | null
      quiet: {
        from: string
        to: string
      } | null
    }
    answer: {
      email: string | null
      confirmed: boolean
      quiet: {
        from: string
        to: string
      } | null
      shared: boolean
      hasMail: boolean
      pushKey: string
      devices: {
        id: string
        label: string
        created: string
      }[]
      webhooks: {
        id: string
        name: string
      }[]
    }
  }
  /** Modifie une règle d’alerte ; un autre seuil ou objet la fait recommencer */
  "PUT /api/alerts/rules/{id}": {
    path: {
      id: string
    }
    body: {
      name: string
      measure: {
        kind: "rain-rate"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
      } | {
        kind: "rain-total"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
        minutes: number
      } | {
        kind: "rain-return"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
        table: string | null
      } | {
        kind: "rain-chance"
        lat: number
        lng: number
        aboveMmH: 0.4 | 3 | 10
        withinMin: number
      } | {
        kind: "flood-cell"
        catchmentId: string
        cell: number
        where?: string
        aboveMm: 50 | 200 | 500
        withinMin: number
      } | {
        kind: "flood-node"
        catchmentId: string
        name: string
        withinMin: number
      } | {
        kind: "flood-link"
        catchmentId: string
        name: string
        withinMin: number
      } | {
        kind: "radar-down"
        product: string
      } | {
        kind: "gauge-stuck"
        gauge: string
        minutes: number
      } | {
        kind: "no-cycle"
        catchmentId: string
      }
      threshold: number
      clear: number
      minMinutes: number
      severity: "info" | "warning" | "critical"
      escalateMin: number | null
      enabled: boolean
      notify?: {
        email: boolean
        push: boolean
        webhooks: string[]
      }
      quiet?: {
        from: string
        to: string
      } | null
      version?: number
    }
    answer: {
      name: string
      measure: {
        kind: "rain-rate"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
      } | {
        kind: "rain-total"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
        minutes: number
      } | {
        kind: "rain-return"
        product: string
        place: {
          kind: "zone"
          catchment: string
          subcatchment: string | null
        } | {
          kind: "point"
          lat: number
          lng: number
        }
        table: string | null
      } | {
        kind: "rain-chance"
        lat: number
        lng: number
        aboveMmH: 0.4 | 3 | 10
        withinMin: number
      } | {
        kind: "flood-cell"
        catchmentId: string
        cell: number
        where?: string
        aboveMm: 50 | 200 | 500
        withinMin: number
      } | {
        kind: "flood-node"
        catchmentId: string
        name: string
        withinMin: number
      } | {
        kind: "flood-link"
        catchmentId: string
        name: string
        withinMin: number
      } | {
        kind: "radar-down"
        product: string
      } | {
        kind: "gauge-stuck"
        gauge: string
        minutes: number
      } | {
        kind: "no-cycle"
        catchmentId: string
      }
      threshold: number
      clear: number
      minMinutes: number
      severity: "info" | "warning" | "critical"
      escalateMin: number | null
      enabled: boolean
      notify: {
        email: boolean
        push: boolean
        webhooks: string[]
      }
      quiet: {
        from: string
        to: string
      } | null
      version: number
      id: string
      phase: "off" | "below" | "pending" | "raised" | "blind"
      value: number | null
      valueAt: string | null
      seen: string | null
    }
  }
  /** Enregistre le message d'accueil */
  "PUT /api/article/home-message": {
    body: {
      main: string
      isPublished: boolean
    }
    answer: {
      main: string
      isPublished: boolean
    }[]
  }
  /** Garde le nom ou la recette d’un bassin en construction */
  "PUT /api/builder/drafts/{id}": {
    path: {
      id: string
    }
    body: {
      name?: string
      recipe?: Record<string, unknown>
    }
    answer: null
  }
  /** Renomme un bassin versant */
  "PUT /api/catchment-packages/{catchmentId}/name": {
    path: {
      catchmentId: string
    }
    body: {
      name: string
    }
    answer: null
  }
  /** Dit qui voit un bassin versant : soi seul, des comptes nommés, tous */
  "PUT /api/catchment-packages/{catchmentId}/sharing": {
    path: {
      catchmentId: string
    }
    body: {
      sharing: "private" | "named" | "all"
      names?: string[]
    }
    answer: null
  }
  /** Ajoute ses propres pluviomètres, d’un fichier CSV */
  "PUT /api/gauges": {
    body: {
      csv: string
      name?: string
      unit?: "mm" | "mm/h" | "total" | "tips"
      tipMm?: number
      timeZone?: string
    }
    answer: {
      gauges: {
        id: string
        name: string
        owner: "site" | "user"
        position: {
          lat: number
          lng: number
        }
        measure: "depth" | "rate" | "total" | "tips"
        readings: number
        first: string
        last: string
      }[]
      remarksFr: string[]
    }
  }
  /** Enregistre les notes d’une simulation */
  "PUT /api/multihydro/{jobId}/comment": {
    path: {
      jobId: string
    }
    answer: null
  }
  /** Renomme une simulation */
  "PUT /api/multihydro/{jobId}/title": {
    path: {
      jobId: string
    }
    answer: null
  }
  /** Dit dans quel système sont les positions (EPSG:2154), ou null : un plan local */
  "PUT /api/networks/{id}/crs": {
    path: {
      id: string
    }
    body: {
      crs: string | null
    }
    answer: null
  }
  /** Renomme un réseau */
  "PUT /api/networks/{id}/name": {
    path: {
      id: string
    }
    body: {
      name: string
    }
    answer: null
  }
  /** Ajoute un tableau de coefficients de Montana, par lignes ou par CSV */
  "PUT /api/storms/tables": {
    body: {
      name: string
      note?: string
      units: "mm-min" | "mmh-min" | "mmh-h"
      source: {
        laws: {
          periodYears: number
          fromMin: number
          toMin: number
          a: number
          b: number
        }[]
      } | {
        csv: string
      }
    }
    answer: {
      id: string
      name: string
      note: string
      owner: "site" | "user"
      laws: {
        periodYears: number
        fromMin: number
        toMin: number
        a: number
        b: number
      }[]
      remarksFr?: string[]
    }
  }
  /** Choisit l’écriture des fichiers CSV du compte */
  "PUT /api/users/csv": {
    body: {
      csv: "semicolon" | "comma"
    }
    answer: {
      csv: "semicolon" | "comma"
    }
  }
  /** Enregistre un évènement ; le cumul est calculé par le serveur */
  "PUT /api/users/events": {
    body: {
      title: string
      product: string
      selectionDates: {
        start: string
        end: string
      }
      catchment?: {
        catchment: string | null
        subcatchment?: string | null
      } | null
      cumul?: number | null
      comment?: string
      version?: number
    }
    answer: {
      _id: string
      title: string
      product: string
      selectionDates: {
        start: string
        end: string
      }
      catchment: {
        catchment: string | null
        subcatchment: string | null
      }
      cumul?: number | null
      cumulMethod?: "moved" | "raw"
      cumulWithheld?: boolean
      comment: string
      createdAt: string
      version: number
    }
  }
  /** Modifie un évènement enregistré */
  "PUT /api/users/events/{id}": {
    path: {
      id: string
    }
    body: {
      title: string
      product: string
      selectionDates: {
        start: string
        end: string
      }
      catchment?: {
        catchment: string | null
        subcatchment?: string | null
      } | null
      cumul?: number | null
      comment?: string
      version?: number
    }
    answer: {
      _id: string
      title: string
      product: string
      selectionDates: {
        start: string
        end: string
      }
      catchment: {
        catchment: string | null
        subcatchment: string | null
      }
      cumul?: number | null
      cumulMethod?: "moved" | "raw"
      cumulWithheld?: boolean
      comment: string
      createdAt: string
      version: number
    }
  }
  /** Change son propre mot de passe et ferme ses autres sessions */
  "PUT /api/users/password": {
    body: {
      current: string
      password: string
    }
    answer: {
      device: string
    }
  }
  /** Met en service l’application de codes et rend les codes de secours */
  "PUT /api/users/totp": {
    body: {
      code: string
    }
    answer: {
      codes: string[]
    }
  }
}
