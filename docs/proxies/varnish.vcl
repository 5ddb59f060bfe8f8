vcl 4.1;

# Varnish 6 or later before RadX, behind what ends TLS. Varnish follows s-maxage and stale-while-revalidate by itself, keeps
# nothing that is private, passes on who sends an Authorization header, and asks once for all who wait for the same.

backend radx {
  .host = "127.0.0.1";
  .port = "3000";
}

sub vcl_recv {
  # Progress of runs comes over sockets. Refused or broken, pages ask instead.
  if (req.http.Upgrade ~ "(?i)websocket") {
    return (pipe);
  }
  if (req.url ~ "^/socket\.io/") {
    return (pass);
  }
  # The archive of map tiles is read by byte ranges, which Varnish would answer by reading all of it.
  if (req.url ~ "^/site/.*\.pmtiles$") {
    return (pass);
  }
  # The one cookie of RadX: who chose English is answered by RadX itself.
  if (req.http.Cookie ~ "radx-language=en") {
    return (pass);
  }
  unset req.http.Cookie;
}

sub vcl_pipe {
  set bereq.http.Upgrade = req.http.Upgrade;
  set bereq.http.Connection = req.http.Connection;
}

sub vcl_backend_response {
  # Nothing is given out for longer than its headers say.
  if (beresp.http.Cache-Control !~ "stale-while-revalidate") {
    set beresp.grace = 0s;
  }
  # Kept to be asked for by entity tag, not to be given out.
  set beresp.keep = 10m;
}
